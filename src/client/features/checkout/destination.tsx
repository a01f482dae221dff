import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import { Button, Checkbox, NativeSelect, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { addressLine } from "#shared/format.ts";
import { SUCCESS } from "#shared/messages.ts";
import { formatPaise, type Paise } from "#shared/money.ts";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { type DeliveryAddress, MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { ownItems } from "../../lib/storage.ts";
import { Card } from "../../ui/card.tsx";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { saveOrderAddress } from "../print/order-data.ts";
import { AddressForm, EMPTY_ADDRESS } from "./address-form.tsx";
import classes from "./checkout.module.css";
import { ADDRESS_FIELDS, Facts } from "./order-facts.tsx";
import { priceStoredOrder, type StoredOrder } from "./order-price.ts";

interface DestinationProps {
  user: CurrentUser;
  /** Undefined while it is loading. */
  shop: Shop | undefined;
  order: StoredOrder;
  fulfilment: ChosenFulfilment;
  address: DeliveryAddress | null;
  onChoose: (fulfilment: ChosenFulfilment) => void;
}

/** Delivery address or pickup, depending on what the shop offers and the student chooses. */
export function Destination({ user, shop, order, fulfilment, address, onChoose }: DestinationProps) {
  // While the shop is loading, a student who chose pickup sees nothing here.
  if (!shop && fulfilment === "pickup") return null;
  if (!shop?.offersPickup)
    return <AddressCard user={user} address={address} autoFocus={shop !== undefined} />;
  const delivered = priceStoredOrder(shop, order, "delivery");
  return (
    <>
      <FulfilmentCard
        shop={shop}
        value={fulfilment}
        deliveryFeePaise={delivered?.deliveryFeePaise ?? null}
        onChange={onChoose}
      />
      {fulfilment === "pickup" ? <PickupCard shop={shop} /> : <AddressCard user={user} address={address} />}
    </>
  );
}

/** Where to pick up the order, and what is needed there. */
function PickupCard({ shop }: { shop: Shop }) {
  return (
    <Card title="Pickup">
      <Facts
        facts={[
          { label: "Shop", value: shop.shopName },
          { label: "Place", value: shop.shopLocation },
          ...(shop.contactNumber ? [{ label: "Phone", value: shop.contactNumber }] : []),
        ]}
      />
      <p className={classes.note}>
        When your order is ready, you get a four-digit pickup code by email and on the order page. Show it at
        the shop.
      </p>
    </Card>
  );
}

interface FulfilmentCardProps {
  shop: Shop;
  value: ChosenFulfilment;
  /** Null while it is not known. */
  deliveryFeePaise: Paise | null;
  onChange: (fulfilment: ChosenFulfilment) => void;
}

/** Lets the student choose delivery or pickup where the shop offers both. */
function FulfilmentCard({ shop, value, deliveryFeePaise, onChange }: FulfilmentCardProps) {
  const fee = deliveryFeePaise === null ? "" : `, delivery fee ${formatPaise(deliveryFeePaise)}`;
  return (
    <Card title="Delivery or pickup">
      <Radio.Group
        role="group"
        aria-label="Delivery or pickup"
        value={value}
        onChange={(chosen) => onChange(chosen === "pickup" ? "pickup" : "delivery")}
      >
        <Stack gap="sm">
          <Radio size="md" value="delivery" label="Delivery" description={`To your address${fee}`} />
          <Radio
            size="md"
            value="pickup"
            label="Pickup"
            description={`At ${shop.shopLocation}, no delivery fee`}
          />
        </Stack>
      </Radio.Group>
    </Card>
  );
}

interface AddressCardProps {
  user: CurrentUser;
  address: DeliveryAddress | null;
  /** Focuses the form of a first address, where the address is all that is left to do. */
  autoFocus?: boolean;
}

/** The delivery address: a form at first, then the saved address with a button to change it. */
function AddressCard({ user, address, autoFocus = false }: AddressCardProps) {
  const [editing, setEditing] = useState(false);
  const [formWasLeft, setFormWasLeft] = useState(false);
  const saveForLater = useSaveForLater();

  function leaveForm() {
    setEditing(false);
    setFormWasLeft(true);
  }

  function save(next: DeliveryAddress, isForLater: boolean) {
    saveOrderAddress(next);
    leaveForm();
    showSuccess(SUCCESS.addressUpdated);
    if (isForLater) saveForLater(next);
  }

  return (
    <Card title="Delivery details">
      {!address || editing ? (
        <OrderAddressForm
          user={user}
          address={address}
          autoFocus={autoFocus}
          onSave={save}
          onCancel={address ? leaveForm : undefined}
        />
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

/** Saves an address to the account in the background; the order continues even if that fails. */
function useSaveForLater(): (address: DeliveryAddress) => void {
  const utils = trpc.useUtils();
  const add = trpc.addresses.add.useMutation({
    onSuccess: () => utils.addresses.list.invalidate(),
    onError: (error) =>
      showError({ title: "The address could not be saved for next time", text: messageOf(error) }),
  });
  return (address) => add.mutate({ address });
}

interface OrderAddressFormProps {
  user: CurrentUser;
  /** The order's present address. */
  address: DeliveryAddress | null;
  autoFocus: boolean;
  /** @param isForLater save it to the account too */
  onSave: (address: DeliveryAddress, isForLater: boolean) => void;
  onCancel: (() => void) | undefined;
}

/**
 * Chooses one of the saved addresses, initially the default, or a new one. A first address that is half typed survives a
 * reload.
 */
function OrderAddressForm({ user, address, autoFocus, onSave, onCancel }: OrderAddressFormProps) {
  const saved = trpc.addresses.list.useQuery(undefined, { retry: false }).data ?? [];
  const [chosenId, setChosenId] = useState(() => findStart(saved, address)?.id ?? "");
  const [wasChosen, setWasChosen] = useState(false);
  const [isForLater, setIsForLater] = useState(true);
  const chosen = saved.find(({ id }) => id === chosenId) ?? null;
  const isFirst = !address && !chosen;
  const [typed] = useState(() => readTyped(user));
  const start = chosen ?? (wasChosen ? { ...EMPTY_ADDRESS, fullname: user.fullName } : (address ?? typed));

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
            ...saved.map((option) => ({ value: option.id, label: addressLine(option) })),
            { value: "", label: "Another address" },
          ]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
      <AddressForm
        key={`${chosenId} ${wasChosen}`}
        address={start}
        autoFocus={onCancel ? !wasChosen : autoFocus && "first empty"}
        onChange={isFirst ? (values) => ownItems.set(typedName(user), values) : undefined}
        onSave={(next) => {
          ownItems.remove(typedName(user));
          onSave(next, isForLater && !chosen);
        }}
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

/** Where a half-typed address is kept until it is saved; it goes with everything else at logout. */
function typedName({ _id }: CurrentUser): string {
  return `typedAddress:${_id}`;
}

/** What was typed before a reload, else an address with the student's name. */
function readTyped(user: CurrentUser): DeliveryAddress {
  const start = { ...EMPTY_ADDRESS, fullname: user.fullName };
  const typed = ownItems.get(typedName(user)) as Partial<Record<keyof DeliveryAddress, unknown>> | null;
  for (const { name } of ADDRESS_FIELDS) {
    const text = typed?.[name];
    if (typeof text === "string") start[name] = text;
  }
  return start;
}

/** The saved address that the order already has, or the default one. */
function findStart(saved: SavedAddress[], address: DeliveryAddress | null): SavedAddress | undefined {
  if (!address) return saved.find(({ isDefault }) => isDefault);
  return saved.find((option) => ADDRESS_FIELDS.every(({ name }) => option[name] === address[name]));
}
