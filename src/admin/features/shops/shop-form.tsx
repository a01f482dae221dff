import { Button, Group, Input, NumberInput, SimpleGrid, Switch, Text, TextInput, Title } from "@mantine/core";
import type { useForm } from "@mantine/form";
import { type DragEvent, type ReactNode, useId, useState } from "react";
import type { FieldIssue } from "#shared/error-codes.ts";
import { toRupees } from "#shared/money.ts";
import { OPENING_HOURS_EXAMPLE } from "#shared/opening-hours.ts";
import { MAX_PHOTO_BYTES, PHOTO_TOO_LARGE } from "#shared/photos.ts";
import { messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { ShopCard } from "#ui/shop-card.tsx";
import { trpc } from "#ui/trpc.ts";
import { parseRupees } from "../../lib/rupees.ts";
import {
  FIELD_LABELS,
  isRatedByStudents,
  type ManagedShop,
  ratingNote,
  type ShopValues,
} from "./managed-shop.ts";
import classes from "./shop-form.module.css";

interface ShopFieldsProps<Values extends ShopValues> {
  form: Pick<ReturnType<typeof useForm<Values>>, "values" | "errors" | "getInputProps">;
  /** Only admins rate a shop. */
  mayRate: boolean;
  /** The saved shop; undefined for a new one. */
  shop?: ManagedShop;
  /** Further fields, below the name. */
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
      <TextInput {...field("college")} description="Nearby college" maxLength={200} />
      <PhotoField
        value={shopImage}
        error={form.errors.shopImage as string | undefined}
        onChange={(path) => form.getInputProps("shopImage").onChange(path)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          {...field("perPageCost")}
          description="Shown on the card, not used in prices"
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
        <TextInput {...field("email")} type="email" description="Gets every order once it is confirmed" />
        <TextInput {...field("contactNumber")} type="tel" description="Shown to students" maxLength={40} />
      </SimpleGrid>
      <TextInput
        {...field("upiId")}
        required={false}
        description="Such as name@bank. Students see it with a QR code and the amount; you check that the money arrived and mark the order as paid. Leave empty if they pay on delivery"
        maxLength={255}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextInput
        {...field("openingHours")}
        required={false}
        description={`Shown to students. Such as ${OPENING_HOURS_EXAMPLE}`}
        maxLength={300}
      />
      <Switch
        label={FIELD_LABELS.offersPickup}
        description="Students can pick up orders here with a four-digit code, without a delivery fee"
        {...form.getInputProps("offersPickup", { type: "checkbox" })}
      />
      <Switch
        label={FIELD_LABELS.separatesFiles}
        description="The print pack of an order with several files has a sheet with its name before each file but the first. Students do not pay for it"
        {...form.getInputProps("separatesFiles", { type: "checkbox" })}
      />
    </>
  );
}

/** Moves to the first field with an error, which may be out of sight, as the button is at the form's end. */
export function focusFirstError(errors: Record<string, unknown>): void {
  const fields = [...document.querySelectorAll<HTMLElement>("[data-path]")];
  fields.find(({ dataset: { path = "" } }) => path in errors)?.focus();
}

/** Shows what the server finds wrong at its fields. */
export function showIssues(
  form: { setErrors: (errors: Record<string, string>) => void },
  issues: readonly FieldIssue[],
): void {
  const errors = Object.fromEntries(issues.map(({ path, message }) => [path, message]));
  form.setErrors(errors);
  focusFirstError(errors);
}

interface PhotoFieldProps {
  /** Path of the picture; empty if there is none. */
  value: string;
  error: string | undefined;
  onChange: (path: string) => void;
}

const TYPES = "image/png,image/jpeg,image/webp";

/** The shop's picture, by file dialog or drag and drop. It is uploaded at once, and used once the shop is saved. */
function PhotoField({ value, error, onChange }: PhotoFieldProps) {
  const labelId = useId();
  const [refusal, setRefusal] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const upload = trpc.shops.admin.uploadPhoto.useMutation({
    onSuccess: ({ path }) => onChange(path),
    onError: (failure) => setRefusal(messageOf(failure)),
  });

  function take(file: File | null | undefined) {
    if (!file) return;
    setRefusal(undefined);
    if (file.size > MAX_PHOTO_BYTES) return setRefusal(`The picture ${PHOTO_TOO_LARGE}`);
    upload.mutate(file);
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  }

  return (
    <Input.Wrapper
      label="Picture"
      labelElement="div"
      labelProps={{ id: labelId }}
      description="PNG, JPEG or WebP, at least 480 × 360 pixels. It is cropped to fit the card."
      error={refusal ?? error}
      required
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same by keyboard */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {value && <img src={value} alt="" width={96} height={72} className={classes.picture} />}
        <Group gap="sm">
          <FileButton accept={TYPES} onChange={take} inputProps={{ "aria-labelledby": labelId }}>
            {(props) => (
              <Button {...props} data-path="shopImage" variant="default" loading={upload.isPending}>
                {value ? "Choose another picture" : "Choose a picture"}
              </Button>
            )}
          </FileButton>
          <Text c="dimmed" visibleFrom="sm">
            or drop one here
          </Text>
        </Group>
      </div>
    </Input.Wrapper>
  );
}

interface ShopPreviewProps {
  values: ShopValues;
  /** Card data without fields in the form; a new shop is open and has no prices. */
  shop?: ManagedShop;
}

/** The shop's card as students will see it. */
export function ShopPreview({ values, shop }: ShopPreviewProps) {
  const titleId = useId();
  const cost = parseRupees(String(values.perPageCost));
  return (
    <aside aria-labelledby={titleId} className={classes.preview}>
      <Title order={2} size="h5" id={titleId}>
        The card that students see
      </Title>
      <ShopCard
        shop={{
          ...values,
          _id: shop?._id ?? "",
          ratings: shop && isRatedByStudents(shop) ? shop.ratings : Number(values.ratings) || 0,
          perPageCost: toRupees(cost ?? 0),
          isOpen: shop?.isOpen ?? true,
          closedNote: shop?.closedNote ?? "",
          takesUpi: values.upiId !== "",
          samplePaise: shop?.samplePaise ?? null,
          closedOn: [],
          closedUntil: null,
        }}
        title={values.shopName || "Name of the shop"}
        picture="early"
      />
    </aside>
  );
}

/** A form with a preview beside it, or below it on a narrow screen. */
export function ShopColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      {aside}
    </div>
  );
}
