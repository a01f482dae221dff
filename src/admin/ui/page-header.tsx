import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  /** One line on the purpose of the screen, if its title is not enough. */
  lead?: string;
  /** Actions, at the right. */
  children?: ReactNode;
}

/** The header of a screen; it also sets the tab's title. */
export function PageHeader({ title, lead, children }: PageHeaderProps) {
  useDocumentTitle(`${title} · Print Store staff`);
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <div>
        <Title order={1} size="h3">
          {title}
        </Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
