import { Button, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import TbDownload from "~icons/tabler/download";
import classes from "./stats-section.module.css";

interface StatsSectionProps {
  title: string;
  note?: string;
  /** What the CSV contains, for the button's label: `days`. */
  exported: string;
  onExport: () => void;
  children: ReactNode;
}

/** A section of the stats with a CSV export. */
export function StatsSection({ title, note, exported, onExport, children }: StatsSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.sheet}>
      <Group justify="space-between" gap="xs" mb="sm" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        <Button
          variant="default"
          size="xs"
          flex="none"
          leftSection={<TbDownload size={16} />}
          aria-label={`Export ${exported} as CSV`}
          onClick={onExport}
        >
          CSV
        </Button>
      </Group>
      {children}
    </section>
  );
}
