import { Checkbox, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { ADDRESS_FIELDS } from "./address-fields.ts";
import { AddressForm } from "./address-form.tsx";

interface OrderAddressFormProps {
  /** What the order has already. */
  address: DeliveryAddress | null;
  /** `isForLater`: the account should keep it too. */
  onSave: (address: DeliveryAddress, isForLater: boolean) => void;
  onCancel: (() => void) | undefined;
}

/** Asks where the order goes: one of the saved addresses, the default at first, or another one. */
export function OrderAddressForm({ address, onSave, onCancel }: OrderAddressFormProps) {
  const saved = trpc.addresses.list.useQuery(undefined, { retry: false }).data ?? [];
  const [chosenId, setChosenId] = useState(() => findStart(saved, address)?.id ?? "");
  const [wasChosen, setWasChosen] = useState(false);
  const [isForLater, setIsForLater] = useState(false);
  const chosen = saved.find(({ id }) => id === chosenId) ?? null;
  const start = chosen ?? (wasChosen ? null : address);

  function choose(id: string) {
    setChosenId(id);
    setWasChosen(true);
  }

  return (
    <>
      {saved.length > 0 && (
        <NativeSelect
          label="Saved addresses"
          size="md"
          mb="md"
          value={chosenId}
          data={[
            ...saved.map((option) => ({ value: option.id, label: lineOf(option) })),
            { value: "", label: "Another address" },
          ]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <AddressForm
        key={`${chosenId} ${wasChosen}`}
        address={start}
        autoFocus={Boolean(onCancel) && !wasChosen}
        onSave={(next) => onSave(next, isForLater && !chosen)}
        onCancel={onCancel}
      >
        {!chosen && saved.length < MAX_ADDRESSES && (
          <Checkbox
            size="md"
            label="Save this address for next time"
            checked={isForLater}
            onChange={(event) => setIsForLater(event.currentTarget.checked)}
          />
        )}
      </AddressForm>
    </>
  );
}

/** The saved one that the order goes to already; the default where it goes nowhere yet. */
function findStart(saved: SavedAddress[], address: DeliveryAddress | null): SavedAddress | undefined {
  if (!address) return saved.find(({ isDefault }) => isDefault);
  return saved.find((option) => ADDRESS_FIELDS.every(({ name }) => option[name] === address[name]));
}

function lineOf(address: DeliveryAddress): string {
  return ADDRESS_FIELDS.map(({ name }) => address[name]).join(", ");
}
