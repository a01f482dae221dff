import { Menu as MantineMenu, type MenuProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useBackCloses } from "#ui/back-closes.ts";

/** A menu. Android's Back closes it, as it does a dialog. */
export function Menu(props: MenuProps) {
  const [opened, { open, close }] = useDisclosure();
  useBackCloses(opened, close);
  return <MantineMenu {...props} opened={opened} onOpen={open} onClose={close} />;
}

Menu.Target = MantineMenu.Target;
Menu.Dropdown = MantineMenu.Dropdown;
Menu.Item = MantineMenu.Item;
