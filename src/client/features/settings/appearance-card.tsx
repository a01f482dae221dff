import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import { type MantineColorScheme, Radio, Stack, useMantineColorScheme } from "@mantine/core";
import "@mantine/core/styles/Stack.layer.css";
import { useHydrated } from "@tanstack/react-router";
import { Card } from "../../ui/card.tsx";

const CHOICES: readonly { value: MantineColorScheme; label: string }[] = [
  { value: "auto", label: "Same as my device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** The colour scheme, stored in this browser. */
export function AppearanceCard() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The server does not know this browser's choice.
  const isKnown = useHydrated();
  return (
    <Card title="Appearance">
      <Radio.Group
        role="group"
        aria-label="Appearance"
        description="Saved in this browser."
        size="md"
        value={isKnown ? colorScheme : null}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      >
        <Stack gap="sm" mt="sm">
          {CHOICES.map((choice) => (
            <Radio key={choice.value} size="md" {...choice} />
          ))}
        </Stack>
      </Radio.Group>
    </Card>
  );
}
