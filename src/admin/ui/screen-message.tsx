import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A screen, or a part of one, that has nothing to show but says why and offers a way on. */
export function ScreenMessage({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" ta="center">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="44ch">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
