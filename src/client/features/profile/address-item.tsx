import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { MarkedName } from "#client/ui/marked-name.tsx";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import type { SavedAddress } from "#shared/schemas/addresses.ts";
import { FormAlert } from "../accounts/form-alert.tsx";
import { AddressForm } from "../checkout/address-form.tsx";
import classes from "./addresses-card.module.css";
import { useShowAddresses } from "./use-show-addresses.ts";

/** One saved address, and what can be done with it. */
export function AddressItem({ address, onRemoved }: { address: SavedAddress; onRemoved: () => void }) {
  const [editing, setEditing] = useState(false);
  const [formWasLeft, setFormWasLeft] = useState(false);
  const showChange = useShowAddresses();
  const update = trpc.addresses.update.useMutation({ onSuccess: showChange });
  const makeDefault = trpc.addresses.makeDefault.useMutation({ onSuccess: showChange });
  const remove = trpc.addresses.remove.useMutation({
    onSuccess: async () => {
      onRemoved();
      await showChange();
    },
  });
  const error = update.error ?? makeDefault.error ?? remove.error;
  const { id, fullname, flatno, roadNo, country, isDefault } = address;
  const name = `${fullname}, ${flatno}`;

  function leaveForm() {
    setEditing(false);
    setFormWasLeft(true);
  }

  if (editing) {
    return (
      <li className={classes.address}>
        {error && <FormAlert message={messageOf(error)} />}
        <AddressForm
          autoFocus
          address={address}
          onSave={(next) => update.mutate({ id, address: next }, { onSuccess: leaveForm })}
          onCancel={leaveForm}
        />
        <WaitOverlay active={update.isPending} />
      </li>
    );
  }
  return (
    <li className={classes.address}>
      <MarkedName name={fullname} mark={isDefault && "Default"} />
      <p className={classes.lines}>{[flatno, roadNo, country].join(", ")}</p>
      {error && <FormAlert message={messageOf(error)} />}
      <div className={classes.ways}>
        <Button
          variant="default"
          size="sm"
          autoFocus={formWasLeft}
          aria-label={`Edit ${name}`}
          onClick={() => setEditing(true)}
        >
          Edit
        </Button>
        {!isDefault && (
          <Button
            variant="default"
            size="sm"
            aria-label={`Make default: ${name}`}
            onClick={() => makeDefault.mutate({ id })}
          >
            Make default
          </Button>
        )}
        <Button
          variant="default"
          size="sm"
          aria-label={`Delete ${name}`}
          onClick={(event) => {
            holdPlace(event);
            remove.mutate({ id });
          }}
        >
          Delete
        </Button>
      </div>
      <WaitOverlay active={makeDefault.isPending || remove.isPending} />
    </li>
  );
}
