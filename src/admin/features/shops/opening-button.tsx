import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import type { ManagedShop } from "./managed-shop.ts";
import { useShopChanges } from "./use-shop-changes.ts";

interface OpeningButtonProps {
  shop: ManagedShop;
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
        onClick={(event) => {
          ignoreSecondPress(event);
          open.mutate({ shopId, isOpen: true });
        }}
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

function CloseForm({ shop, onDone }: { shop: ManagedShop; onDone: () => void }) {
  const [closedNote, setClosedNote] = useState("");
  const { close } = useShopChanges(shop);

  function submit(event: FormEvent) {
    event.preventDefault();
    close.mutate({ shopId: shop._id, isOpen: false, closedNote }, { onSuccess: onDone });
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
