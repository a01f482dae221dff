import { Badge } from "@mantine/core";

interface CountBadgeProps {
  count: number;
  /** What is counted, for people who only hear the number: `new`, `failed`. */
  label: string;
}

/** How much waits; nothing where nothing does. */
export function CountBadge({ count, label }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <Badge size="sm" ml="auto" c="var(--on-accent)" circle={count < 10} aria-label={`${count} ${label}`}>
      {count}
    </Badge>
  );
}
