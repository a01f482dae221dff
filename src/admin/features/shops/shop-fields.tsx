import { NumberInput, SimpleGrid, Switch, TextInput } from "@mantine/core";
import type { useForm } from "@mantine/form";
import type { ReactNode } from "react";
import { FIELD_LABELS, type ManagedShop, ratingNote, type ShopValues } from "./managed-shop.ts";
import { PhotoField } from "./photo-field.tsx";

interface ShopFieldsProps<Values extends ShopValues> {
  form: Pick<ReturnType<typeof useForm<Values>>, "values" | "errors" | "getInputProps">;
  /** Only admins rate a shop. */
  mayRate: boolean;
  /** As it is saved; a new shop is not. */
  shop?: ManagedShop;
  /** More fields, below the name. */
  children?: ReactNode;
}

/** The fields of a shop. The names of the form are those of the contract. */
export function ShopFields<Values extends ShopValues>({
  form,
  mayRate,
  shop,
  children,
}: ShopFieldsProps<Values>) {
  const { shopImage } = form.values;
  const field = (name: keyof ShopValues) => ({
    label: FIELD_LABELS[name],
    required: true,
    ...form.getInputProps(name),
  });
  return (
    <>
      <TextInput {...field("shopName")} maxLength={200} />
      {children}
      <TextInput {...field("shopLocation")} description="Street, town and state" maxLength={200} />
      <TextInput {...field("college")} description="The college that it is near" maxLength={200} />
      <PhotoField
        value={shopImage}
        error={form.errors.shopImage as string | undefined}
        onChange={(path) => form.getInputProps("shopImage").onChange(path)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          {...field("perPageCost")}
          description="Shown on the card; enters no calculation"
          inputMode="decimal"
          leftSection="₹"
        />
        <NumberInput
          {...field("ratings")}
          description={ratingNote(mayRate, shop)}
          min={0}
          max={5}
          step={0.1}
          decimalScale={1}
          disabled={!mayRate}
        />
        <TextInput {...field("email")} type="email" description="Gets every order" />
        <TextInput {...field("contactNumber")} type="tel" description="Shown to students" maxLength={40} />
      </SimpleGrid>
      <TextInput
        {...field("upiId")}
        required={false}
        description="Such as name@bank. Students are shown it with a QR code and the amount; you check that the money came and mark the order as paid. Empty: they pay on delivery"
        maxLength={255}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Switch
        label={FIELD_LABELS.offersPickup}
        description="Students may fetch their order here, without a delivery fee. They say a code of four digits at hand-over"
        {...form.getInputProps("offersPickup", { type: "checkbox" })}
      />
    </>
  );
}
