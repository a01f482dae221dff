import { Button } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import type { SavedAddress } from "#shared/schemas/addresses.ts";
import classes from "./addresses-card.module.css";
import { useShowAddresses } from "./use-show-addresses.ts";

/** Says that an address is gone and offers it back. Takes the focus that stood on its buttons. */
export function AddressRemoved({ address }: { address: SavedAddress }) {
  const putBack = trpc.addresses.add.useMutation({ onSuccess: useShowAddresses() });
  const { fullname, flatno, roadNo, country } = address;
  const name = `“${fullname}, ${flatno}”`;
  if (putBack.isSuccess) {
    return (
      <p role="status" tabIndex={-1} ref={(element) => element?.focus()} className={classes.back}>
        {name} is saved again.
      </p>
    );
  }
  return (
    <div className={classes.removed}>
      <p role="status">{name} is deleted.</p>
      <Button
        variant="default"
        size="sm"
        autoFocus
        loading={putBack.isPending}
        onClick={() => putBack.mutate({ address: { fullname, flatno, roadNo, country } })}
      >
        Put it back
      </Button>
    </div>
  );
}
