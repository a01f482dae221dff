import "../../ui/form-styles.ts";
import { Button, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { type DeliveryAddress, deliveryAddress } from "#shared/schemas/addresses.ts";
import { enterLeadsToNextField } from "../../lib/next-field.ts";
import classes from "./address-form.module.css";
import { ADDRESS_FIELDS } from "./order-facts.tsx";

export const EMPTY_ADDRESS: DeliveryAddress = { country: "", roadNo: "", flatno: "", fullname: "" };

interface AddressFormProps {
  /** The initial values; null for a first address. */
  address: DeliveryAddress | null;
  onSave: (address: DeliveryAddress) => void;
  /** Without it there is no Cancel button. */
  onCancel?: (() => void) | undefined;
  /** Called with every change. */
  onChange?: ((address: DeliveryAddress) => void) | undefined;
  /** Focuses the first field, or the first empty one. */
  autoFocus?: boolean | "first empty";
  /** Further fields, above the buttons. */
  children?: ReactNode;
}

export function AddressForm(props: AddressFormProps) {
  const { address, onSave, onCancel, onChange, autoFocus = false, children } = props;
  const start = address ?? EMPTY_ADDRESS;
  const firstEmpty = ADDRESS_FIELDS.findIndex(({ name }) => start[name] === "");
  const focused = autoFocus === "first empty" ? firstEmpty : autoFocus ? 0 : -1;
  const form = useForm<DeliveryAddress>({
    mode: "uncontrolled",
    initialValues: start,
    onValuesChange: (values) => onChange?.(values),
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
    <form className={classes.form} noValidate onSubmit={submit} onKeyDown={enterLeadsToNextField}>
      {ADDRESS_FIELDS.map(({ name, label, autoComplete, example }, index) => (
        <TextInput
          key={form.key(name)}
          {...form.getInputProps(name)}
          size="md"
          required
          withAsterisk={false}
          name={name}
          label={label}
          autoComplete={autoComplete}
          placeholder={example}
          enterKeyHint={index === ADDRESS_FIELDS.length - 1 ? "go" : "next"}
          autoFocus={index === focused}
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
