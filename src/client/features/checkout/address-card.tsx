import { Button } from "@mantine/core";
import { useState } from "react";
import { showSuccess } from "#client/ui/popup/popup.store.ts";
import { SUCCESS } from "#shared/messages.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { Card } from "../print/card.tsx";
import { saveAddress } from "../print/order-store.ts";
import { ADDRESS_FIELDS } from "./address-fields.ts";
import { AddressForm } from "./address-form.tsx";
import { Facts } from "./facts.tsx";

/** Where the order goes: asked for once, then shown, and open to change. */
export function AddressCard({ address }: { address: DeliveryAddress | null }) {
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useState(false);

  function save(next: DeliveryAddress) {
    saveAddress(next);
    setEditing(false);
    setSaved(true);
    void showSuccess(SUCCESS.addressUpdated);
  }

  return (
    <Card title="Delivery details">
      {!address || editing ? (
        <AddressForm
          address={address}
          onSave={save}
          onCancel={address ? () => setEditing(false) : undefined}
        />
      ) : (
        <>
          <Facts facts={ADDRESS_FIELDS.map(({ name, label }) => ({ label, value: address[name] }))} />
          {/* The form that had the focus is gone. */}
          <Button variant="default" mt="md" autoFocus={saved} onClick={() => setEditing(true)}>
            Change address
          </Button>
        </>
      )}
    </Card>
  );
}
