import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { MarkedName } from "../../ui/marked-name.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { AddressForm } from "../checkout/address-form.tsx";
import classes from "./addresses-card.module.css";

/** The saved addresses of the account. */
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
            <p className={classes.none}>No saved addresses yet. Add one to use it for your next order.</p>
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

/** Says that an address was deleted, with an Undo button, which takes the focus from the removed buttons. */
function AddressRemoved({ address }: { address: SavedAddress }) {
  const { fullname, flatno, roadNo, country, isDefault } = address;
  const { addresses } = trpc.useUtils().client;
  const putBack = useMutation({
    async mutationFn() {
      const { id } = await addresses.add.mutate({ address: { fullname, flatno, roadNo, country } });
      if (isDefault) await addresses.makeDefault.mutate({ id });
    },
    onSuccess: useShowAddresses(),
  });
  const name = `“${fullname}, ${flatno}”`;
  if (putBack.isSuccess) {
    return (
      <p role="status" tabIndex={-1} ref={takeFocus} className={classes.back}>
        {name} is back.
      </p>
    );
  }
  return (
    <div className={classes.removed}>
      {putBack.isError && <FormAlert message={messageOf(putBack.error)} />}
      <p role="status">{name} was deleted.</p>
      <Button
        variant="default"
        size="sm"
        autoFocus
        loading={putBack.isPending}
        onClick={() => putBack.mutate()}
      >
        Undo
      </Button>
    </div>
  );
}

/** Adds an address to the saved ones. */
function NewAddress() {
  const [opened, setOpened] = useState(false);
  const [wasLeft, setWasLeft] = useState(false);
  const add = trpc.addresses.add.useMutation({ onSuccess: useShowAddresses() });

  function leave() {
    add.reset();
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

/** One saved address with its actions. */
function AddressItem({ address, onRemoved }: { address: SavedAddress; onRemoved: () => void }) {
  const [editing, setEditing] = useState(false);
  const [formWasLeft, setFormWasLeft] = useState(false);
  const showChange = useShowAddresses();
  const update = trpc.addresses.update.useMutation({ onSuccess: showChange });
  const heading = useRef<HTMLParagraphElement>(null);
  const makeDefault = trpc.addresses.makeDefault.useMutation({
    onSuccess: async () => {
      await showChange();
      heading.current?.focus();
    },
  });
  const remove = trpc.addresses.remove.useMutation({
    onSuccess: async () => {
      onRemoved();
      await showChange();
    },
  });
  const error = update.error ?? makeDefault.error ?? remove.error;

  /** An error of the action before would stay beside this one. */
  function forgetErrors() {
    for (const action of [update, makeDefault, remove]) action.reset();
  }

  const { id, fullname, flatno, roadNo, country, isDefault } = address;
  const name = `${fullname}, ${flatno}`;

  function leaveForm() {
    forgetErrors();
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
      <MarkedName ref={heading} name={fullname} mark={isDefault && "Default"} />
      <p className={classes.lines}>{[flatno, roadNo, country].join(", ")}</p>
      {error && <FormAlert message={messageOf(error)} />}
      <div className={classes.actions}>
        <Button
          variant="default"
          size="sm"
          autoFocus={formWasLeft}
          aria-label={`Edit ${name}`}
          onClick={() => {
            forgetErrors();
            setEditing(true);
          }}
        >
          Edit
        </Button>
        {!isDefault && (
          <Button
            variant="default"
            size="sm"
            aria-label={`Make default: ${name}`}
            onClick={() => {
              forgetErrors();
              makeDefault.mutate({ id });
            }}
          >
            Make default
          </Button>
        )}
        <Button
          variant="default"
          size="sm"
          aria-label={`Delete ${name}`}
          onClick={pressOnce(() => {
            forgetErrors();
            remove.mutate({ id });
          })}
        >
          Delete
        </Button>
      </div>
      <WaitOverlay active={makeDefault.isPending || remove.isPending} />
    </li>
  );
}

/** Refetches the saved addresses. */
function useShowAddresses(): () => Promise<void> {
  const utils = trpc.useUtils();
  return () => utils.addresses.list.invalidate();
}
