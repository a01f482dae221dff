import { Button, Text } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useShortcuts } from "#admin/lib/shortcuts.ts";
import { messageOf } from "#client/lib/errors.ts";
import type { OrderDetail } from "./order-answers.ts";

/** For so long after a tab was opened its pack can be loaded again; in ms. */
const KEPT_MS = 60_000;

/** All that is printed of an order in one PDF, in a tab from which it is printed at once. */
export function OrderPrints({ id, number }: Pick<OrderDetail, "id" | "number">) {
  const pack = useMutation({ mutationFn: () => openPack({ id, number }) });
  useShortcuts("Prints", [{ keys: "O", label: "Open the print pack", run: () => pack.mutate() }]);
  return (
    <>
      <Button
        mb="sm"
        variant="default"
        loading={pack.isPending}
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
        onClick={() => pack.mutate()}
      >
        Print pack
      </Button>
      {pack.error && (
        <Text role="alert" size="sm" c="red" mb="sm">
          {pack.error instanceof PackRefused ? pack.error.message : messageOf(pack.error)}
        </Text>
      )}
    </>
  );
}

/** Why there is no pack, in the server's words. */
class PackRefused extends Error {}

/**
 * Opens the pack in a tab of its own. The server hands it out as a download that no browser may show, since viewers of
 * PDFs do not work in a sandbox; as a blob it is shown and not left on the shop's disk.
 */
async function openPack({ id, number }: Pick<OrderDetail, "id" | "number">): Promise<void> {
  // Opened before anything is awaited, or the browser takes it for an advertisement.
  const tab = window.open("", "_blank");
  if (tab) tab.document.body.textContent = `Making the print pack of order ${number}…`;
  try {
    const response = await fetch(`/admin/orders/${id}/pack.pdf`);
    if (!response.ok) throw new PackRefused(await response.text());
    const url = URL.createObjectURL(await response.blob());
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
    if (tab) tab.location.replace(url);
    else window.location.assign(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}
