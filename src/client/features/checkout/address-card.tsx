import { Button } from "@mantine/core";
import { useState } from "react";
import { flushSync } from "react-dom";
import { showSuccess } from "#client/ui/popup/popup.store.ts";
import { SUCCESS } from "#shared/messages.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { Card } from "../print/card.tsx";
import { saveAddress } from "../print/order-store.ts";
import { ADDRESS_FIELDS } from "./address-fields.ts";
import { Facts } from "./facts.tsx";
import { OrderAddressForm } from "./order-address-form.tsx";
import { useSaveForLater } from "./use-save-for-later.ts";

/** Where the order goes: asked for once, then shown, and open to change. */
export function AddressCard({ address }: { address: DeliveryAddress | null }) {
  const [editing, setEditing] = useState(false);
  const [formWasLeft, setFormWasLeft] = useState(false);
  const saveForLater = useSaveForLater();

  function leaveForm() {
    setEditing(false);
    setFormWasLeft(true);
  }

  function save(next: DeliveryAddress, isForLater: boolean) {
    // The popup gives the focus back to where it was: by then it must have left the form, which is gone.
    flushSync(() => {
      saveAddress(next);
      leaveForm();
    });
    void showSuccess(SUCCESS.addressUpdated);
    if (isForLater) saveForLater(next);
  }

  return (
    <Card title="Delivery details">
      {!address || editing ? (
        <OrderAddressForm address={address} onSave={save} onCancel={address ? leaveForm : undefined} />
      ) : (
        <>
          <Facts facts={ADDRESS_FIELDS.map(({ name, label }) => ({ label, value: address[name] }))} />
          <Button variant="default" mt="md" autoFocus={formWasLeft} onClick={() => setEditing(true)}>
            Change address
          </Button>
        </>
      )}
    </Card>
  );
}
