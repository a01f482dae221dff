import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";

interface PageHeaderProps {
  title: string;
  /** One line on what the screen is for, where its title leaves that open. */
  lead?: string;
  /** What can be done here, at the right. */
  children?: ReactNode;
}

/** The top of a screen, which also names the tab. */
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
