import { Button } from "@mantine/core";
import { useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { AddressForm } from "../checkout/address-form.tsx";
import classes from "./addresses-card.module.css";
import { useShowAddresses } from "./use-show-addresses.ts";

/** Adds an address to the saved ones. */
export function NewAddress() {
  const [opened, setOpened] = useState(false);
  const [wasLeft, setWasLeft] = useState(false);
  const add = trpc.addresses.add.useMutation({ onSuccess: useShowAddresses() });

  function leave() {
    setOpened(false);
    setWasLeft(true);
  }

  return (
    <div className={classes.new}>
      {add.isError && <FormAlert message={messageOf(add.error)} />}
      {opened ? (
        <AddressForm
          autoFocus
          address={null}
          onSave={(address) => add.mutate({ address }, { onSuccess: leave })}
          onCancel={leave}
        />
      ) : (
        <Button variant="default" autoFocus={wasLeft} onClick={() => setOpened(true)}>
          Add an address
        </Button>
      )}
      <WaitOverlay active={add.isPending} />
    </div>
  );
}
