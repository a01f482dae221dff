import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface ScreenMessageProps {
  title: string;
  text: string;
  /** 1 if it is the whole screen. */
  order?: 1 | 2;
  children?: ReactNode;
}

/** An empty screen, or part of one, with a message and actions. */
export function ScreenMessage({ title, text, order = 2, children }: ScreenMessageProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={order} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="44ch">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
