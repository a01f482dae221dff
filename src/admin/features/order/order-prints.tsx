import { Button, Group } from "@mantine/core";
import { IconFileZip, IconPrinter } from "@tabler/icons-react";
import { useShortcuts } from "#admin/lib/shortcuts.ts";
import type { OrderDetail } from "./order-answers.ts";

/** All that is printed of an order in one PDF, in a tab from which it is printed at once; and the files as they came. */
export function OrderPrints({ id }: Pick<OrderDetail, "id">) {
  const pack = `/admin/orders/${id}/pack.pdf`;
  useShortcuts("Prints", [
    { keys: "O", label: "Open the print pack", run: () => window.open(pack, "_blank", "noopener") },
  ]);
  return (
    <Group gap="xs" mb="sm">
      <Button
        component="a"
        href={pack}
        target="_blank"
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
      >
        Print pack
      </Button>
      <Button
        component="a"
        href={`/admin/orders/${id}/originals.zip`}
        download
        variant="default"
        leftSection={<IconFileZip size={18} aria-hidden="true" />}
      >
        Originals
      </Button>
    </Group>
  );
}
