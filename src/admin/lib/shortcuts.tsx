import { ActionIcon, Group, Kbd, Modal, Stack, Text, Title } from "@mantine/core";
import { type HotkeyItem, useDisclosure, useHotkeys } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";
import { useBackCloses } from "#ui/back-closes.ts";
import TbKeyboard from "~icons/tabler/keyboard";

export interface Shortcut {
  /** In the syntax of Mantine's useHotkeys, such as `mod+S` or `J`. */
  keys: string;
  /** Its description in the list of shortcuts. */
  label: string;
  /** Without it the shortcut is only listed. */
  run?: (event: KeyboardEvent) => void;
}

/** Elements that handle keys themselves: fields, dialogs and menus. */
const KEEPS_KEYS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]";

/** Letters that follow one another faster than this come from a scanner, which types a code. */
const SCANNER_MS = 40;
let lastLetterAt = Number.NEGATIVE_INFINITY;
let isScanned = false;

window.addEventListener(
  "keydown",
  ({ key, ctrlKey, metaKey, altKey, repeat, timeStamp }) => {
    isScanned = false;
    // Autofill sends events without a key.
    if (!key || key.length > 1 || ctrlKey || metaKey || altKey || repeat) return;
    isScanned = timeStamp - lastLetterAt < SCANNER_MS;
    lastLetterAt = timeStamp;
  },
  true,
);

/** The shortcuts of the open screens, for the list that `?` opens. */
const useShortcutList = create<{ sections: Record<string, Shortcut[]> }>(() => ({ sections: {} }));

/**
 * Registers shortcuts while the component is mounted, and lists them under `section`. They are off in fields,
 * dialogs and menus, and for what a scanner types after its first key; the `/` of its link moves the rest into the search.
 */
export function useShortcuts(section: string, shortcuts: Shortcut[]): void {
  useHotkeys(shortcuts.flatMap(toHotkey), []);
  const shown = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join("\n");

  // Updates the list only when keys or labels change; the functions are new with every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for the shortcuts
  useEffect(() => {
    useShortcutList.setState(({ sections }) => ({ sections: { ...sections, [section]: shortcuts } }));
    return () =>
      useShortcutList.setState(({ sections: { [section]: _gone, ...sections } }) => ({ sections }));
  }, [section, shown]);
}

/** Ignores the repeats of a key that is held down. */
export function ignoreRepeats(run: () => void): NonNullable<Shortcut["run"]> {
  return (event) => {
    if (!event.repeat) run();
  };
}

function toHotkey({ keys, run }: Shortcut): HotkeyItem[] {
  if (!run) return [];
  const runIfFree = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(KEEPS_KEYS)) return;
    // Under a dialog the focus may be on no element at all.
    if (document.querySelector("[role=dialog][aria-modal=true]")) return;
    if (isScanned && event.key !== "/") return;
    event.preventDefault();
    run(event);
  };
  return [[keys, runIfFree, { preventDefault: false }]];
}

/** Lists the keyboard shortcuts of the open screen. `?` opens it. */
export function ShortcutHelp() {
  const [opened, { open, close }] = useDisclosure();
  useBackCloses(opened, close);
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
