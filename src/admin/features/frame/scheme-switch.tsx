import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";

/** Light or dark. Until it is used the console follows the machine. */
export function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--ink)"
      size="lg"
      aria-label={`Switch to ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      {other === "light" ? <IconSun size={20} /> : <IconMoon size={20} />}
    </ActionIcon>
  );
}
