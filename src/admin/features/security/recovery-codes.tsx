import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { takeFocus } from "#ui/take-focus.ts";

/** The recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  useWindowEvent("beforeunload", (event) => event.preventDefault());
  return (
    <Stack gap="sm">
      <Alert color="gray" title="Save these recovery codes" ref={takeFocus} tabIndex={-1}>
        <Text size="sm">
          Each code logs you in once if you have neither your phone nor a passkey. They are shown only now:
          print them or store them in a password manager.
        </Text>
      </Alert>
      <SimpleGrid
        component="ul"
        cols={2}
        spacing="xs"
        aria-label="Recovery codes"
        p={0}
        m={0}
        style={{ listStyle: "none" }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </Group>
    </Stack>
  );
}
