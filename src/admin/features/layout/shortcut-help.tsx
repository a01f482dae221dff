import { ActionIcon, Group, Kbd, Modal, Stack, Text, Title } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useShortcutList } from "#admin/lib/shortcuts.ts";
import TbKeyboard from "~icons/tabler/keyboard";

/** Lists the keyboard shortcuts of the open screen. `?` opens it. */
export function ShortcutHelp() {
  const [opened, { open, close }] = useDisclosure();
  const sections = useShortcutList((state) => state.sections);
  useHotkeys([["shift+?", open]], ["INPUT", "TEXTAREA", "SELECT"], false);

  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--ink)"
        size="lg"
        aria-label="Keyboard shortcuts"
        visibleFrom="sm"
        onClick={open}
      >
        <TbKeyboard size={20} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Keyboard shortcuts" size="md">
        <Stack gap="lg">
          <ShortcutSection title="Everywhere" rows={[{ keys: "?", label: "Show this list" }]} />
          {Object.entries(sections).map(([title, rows]) => (
            <ShortcutSection key={title} title={title} rows={rows} />
          ))}
        </Stack>
      </Modal>
    </>
  );
}

function ShortcutSection({ title, rows }: { title: string; rows: { keys: string; label: string }[] }) {
  return (
    <section>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <Stack gap={4}>
        {rows.map(({ keys, label }) => (
          <Group key={keys} justify="space-between">
            <Text>{label}</Text>
            <Group gap={4}>
              {keys.split("+").map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </section>
  );
}
