import "#client/ui/theme/form-styles.ts";
import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { type DeliveryAddress, deliveryAddress } from "#shared/schemas/orders.ts";
import { ADDRESS_FIELDS } from "./address-fields.ts";
import classes from "./address-form.module.css";

const EMPTY: DeliveryAddress = { country: "", roadNo: "", flatno: "", fullname: "" };

interface AddressFormProps {
  /** The initial values; null for a first address. */
  address: DeliveryAddress | null;
  onSave: (address: DeliveryAddress) => void;
  /** Without it there is no Cancel button. */
  onCancel?: (() => void) | undefined;
  /** Focuses the first field. */
  autoFocus?: boolean;
  /** Further fields, above the buttons. */
  children?: ReactNode;
}

export function AddressForm({ address, onSave, onCancel, autoFocus = false, children }: AddressFormProps) {
  const form = useForm<DeliveryAddress>({
    mode: "uncontrolled",
    initialValues: address ?? EMPTY,
    validate: schemaResolver(deliveryAddress, { sync: true }),
  });
  const submit = form.onSubmit(
    (values) => onSave(deliveryAddress.parse(values)),
    (errors) => {
      const firstWrong = ADDRESS_FIELDS.find(({ name }) => errors[name]);
      if (firstWrong) form.getInputNode(firstWrong.name)?.focus();
    },
  );
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      {ADDRESS_FIELDS.map(({ name, label, autoComplete }, index) => (
        <TextInput
          key={form.key(name)}
          {...form.getInputProps(name)}
          size="md"
          required
          withAsterisk={false}
          name={name}
          label={label}
          autoComplete={autoComplete}
          autoFocus={autoFocus && index === 0}
        />
      ))}
      {children && <div className={classes.wide}>{children}</div>}
      <div className={classes.buttons}>
        <Button type="submit" size="md">
          Save address
        </Button>
        {onCancel && (
          <Button size="md" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
