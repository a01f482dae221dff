import { Button, Text } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { once, useShortcuts } from "#admin/lib/shortcuts.ts";
import { messageOf } from "#client/lib/errors.ts";
import type { OrderDetail } from "./order-answers.ts";

/** So often, in ms, it is looked whether the tab of a pack is there still, in which it can be loaded again and saved. */
const LOOK_MS = 60_000;
const BLOCKED =
  "Your browser did not open the tab for the print pack. Allow pop-ups of this page and press Print pack again";

/** All that is printed of an order in one PDF, in a tab from which it is printed at once. */
export function OrderPrints({ id, number }: Pick<OrderDetail, "id" | "number">) {
  const pack = useMutation({ mutationFn: () => openPack({ id, number }) });
  const open = () => {
    if (!pack.isPending) pack.mutate();
  };
  useShortcuts("Prints", [{ keys: "O", label: "Open the print pack", run: once(open) }]);
  return (
    <>
      <Button
        mb="sm"
        variant="default"
        loading={pack.isPending}
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
        onClick={open}
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
  if (!tab) throw new PackRefused(BLOCKED);
  tab.document.body.textContent = `Making the print pack of order ${number}…`;
  try {
    const response = await fetch(`/admin/orders/${id}/pack.pdf`);
    if (!response.ok) throw new PackRefused(await response.text());
    const url = URL.createObjectURL(await response.blob());
    tab.location.replace(url);
    revokeOnceClosed(tab, url);
  } catch (error) {
    tab.close();
    throw error;
  }
}

function revokeOnceClosed(tab: Window, url: string): void {
  const look = setInterval(() => {
    if (!tab.closed) return;
    clearInterval(look);
    URL.revokeObjectURL(url);
  }, LOOK_MS);
}
