import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { toRupees } from "#shared/money.ts";
import { rupeesField } from "#shared/schemas/fields.ts";
import { ShopCard } from "#ui/shop-card.tsx";
import { isRatedByStudents, type ManagedShop, type ShopValues } from "./managed-shop.ts";
import classes from "./shop-preview.module.css";

interface ShopPreviewProps {
  values: ShopValues;
  /** Card data without fields in the form; a new shop is open and has no prices. */
  shop?: ManagedShop;
}

/** The shop's card as students will see it. */
export function ShopPreview({ values, shop }: ShopPreviewProps) {
  const titleId = useId();
  const cost = rupeesField.safeParse(values.perPageCost);
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
          perPageCost: cost.success ? toRupees(cost.data) : 0,
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
