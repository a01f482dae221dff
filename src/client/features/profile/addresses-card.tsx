import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import { Card } from "../print/card.tsx";
import { AddressItem } from "./address-item.tsx";
import { AddressRemoved } from "./address-removed.tsx";
import classes from "./addresses-card.module.css";
import { NewAddress } from "./new-address.tsx";

/** The addresses that an order can go to with one press. */
export function AddressesCard() {
  const addresses = trpc.addresses.list.useQuery();
  const [removed, setRemoved] = useState<SavedAddress | null>(null);
  const count = addresses.data?.length ?? 0;
  return (
    <Card title="Saved addresses" aside={count > 0 ? `${count} of ${MAX_ADDRESSES}` : undefined}>
      {addresses.isPending && <p role="status">Loading your addresses…</p>}
      {addresses.isError && !addresses.data && (
        <div role="alert" className={classes.failure}>
          <p>{messageOf(addresses.error)}</p>
          <Button variant="default" onClick={() => void addresses.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {addresses.data && (
        <>
          {count === 0 && (
            <p className={classes.none}>None yet. Your next order can begin with one of these.</p>
          )}
          <ul className={classes.addresses} aria-label="Saved addresses">
            {addresses.data.map((address) => (
              <AddressItem key={address.id} address={address} onRemoved={() => setRemoved(address)} />
            ))}
          </ul>
          {removed && <AddressRemoved key={removed.id} address={removed} />}
          {count < MAX_ADDRESSES && <NewAddress />}
        </>
      )}
    </Card>
  );
}
