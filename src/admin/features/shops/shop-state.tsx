import { Badge, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { OPTION_FIELDS } from "#shared/options.ts";
import { pressOnce } from "#ui/double-press.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { Modal } from "../../ui/modal.tsx";
import { hasNoPrices, type ManagedShop } from "./managed-shop.ts";

/** Whether students can see the shop and order, and why not. */
export function ShopState({ shop }: { shop: ManagedShop }) {
  const { isOpen, closedNote, hidden, gaps } = shop;
  return (
    <Group gap={6}>
      {hidden && (
        <Badge variant="default" size="md">
          Hidden
        </Badge>
      )}
      {isOpen ? (
        <Badge variant="light" color="green" size="md" c="var(--good)">
          Open
        </Badge>
      ) : (
        <Badge variant="light" color="red" size="md" c="var(--bad)">
          Closed
        </Badge>
      )}
      {!isOpen && closedNote && (
        <Text size="sm" c="dimmed">
          {closedNote}
        </Text>
      )}
      {gaps.length > 0 && (
        <Text size="sm" c="var(--bad)">
          {hasNoPrices(shop) ? "No prices yet" : `No prices: ${gaps.map(labelOf).join(", ")}`}
        </Text>
      )}
    </Group>
  );
}

function labelOf(kind: ManagedShop["gaps"][number]): string {
  return OPTION_FIELDS[kind].label.toLowerCase();
}

interface OpeningButtonProps {
  shop: Pick<ManagedShop, "_id" | "shopName" | "isOpen">;
  size?: "xs" | "sm";
}

/** Opens the shop for orders, or closes it after asking what students should be told. */
export function OpeningButton({ shop, size = "sm" }: OpeningButtonProps) {
  const [asking, ask] = useDisclosure();
  const { open } = useShopChanges(shop);
  const { _id: shopId, shopName, isOpen } = shop;
  if (!isOpen) {
    return (
      <Button
        size={size}
        loading={open.isPending}
        aria-label={`Open ${shopName}`}
        onClick={pressOnce(() => open.mutate({ shopId }))}
      >
        Open
      </Button>
    );
  }
  return (
    <>
      <Button size={size} variant="default" aria-label={`Close ${shopName}`} onClick={ask.open}>
        Close
      </Button>
      <Modal opened={asking} onClose={ask.close} title={`Close ${shopName}?`}>
        <CloseForm shop={shop} onDone={ask.close} />
      </Modal>
    </>
  );
}

function CloseForm({ shop, onDone }: { shop: OpeningButtonProps["shop"]; onDone: () => void }) {
  const [closedNote, setClosedNote] = useState("");
  const { close } = useShopChanges(shop);

  function submit(event: FormEvent) {
    event.preventDefault();
    // Also where this form has gone with the news that the shop is closed: the dialog would open again with the shop.
    close.mutateAsync({ shopId: shop._id, isOpen: false, closedNote }).then(onDone, () => {});
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>Its card will show that it is closed. Nobody can order until you open it again.</Text>
        <TextInput
          label="Note for students"
          description="Optional, for example: back at 4 pm"
          maxLength={120}
          value={closedNote}
          onChange={(event) => setClosedNote(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={close.isPending}>
            Close the shop
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Actions on a shop, which refetch everything about shops. */
export function useShopChanges({ shopName }: Pick<ManagedShop, "shopName">) {
  const utils = trpc.useUtils();
  const refresh = () =>
    Promise.all([utils.shops.invalidate(), utils.schedule.invalidate(), utils.staff.myShops.invalidate()]);
  const then = (notice: string) => ({
    onSuccess: async () => {
      showDone(notice);
      await refresh();
    },
    onError: showFailure,
  });
  // Also takes back an early closing: orders are promised for today again.
  const open = trpc.schedule.open.useMutation(then(`${shopName} is open again`));
  const close = trpc.shops.admin.setOpen.useMutation(then(`${shopName} is closed and takes no orders`));
  const hide = trpc.shops.admin.setHidden.useMutation(then(`Students no longer see ${shopName}`));
  const show = trpc.shops.admin.setHidden.useMutation(then(`Students see ${shopName} now`));
  const remove = trpc.shops.admin.remove.useMutation(then(`${shopName} is deleted`));
  return { open, close, hide, show, remove };
}
