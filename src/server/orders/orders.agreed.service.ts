import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import type { PriceLine, Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";

type Figures = Pick<
  OrderTable,
  "sheets" | "sub_total_paise" | "tax_paise" | "delivery_fee_paise" | "total_paise"
>;

/** The price of an order as it was agreed, whatever the shop's list says today. */
export function agreedQuote(order: Figures, rows: OrderLineTable[]): Quote {
  const lines = rows
    .map(toPriceLine)
    .sort((a, b) => OPTION_KINDS.indexOf(a.kind) - OPTION_KINDS.indexOf(b.kind));
  const exactPaise = lines.reduce((sum, line) => sum + line.amountPaise, 0);
  return {
    sheets: order.sheets,
    lines,
    roundingPaise: order.sub_total_paise - exactPaise,
    subTotalPaise: order.sub_total_paise,
    taxPaise: order.tax_paise,
    deliveryFeePaise: order.delivery_fee_paise,
    totalPaise: order.total_paise,
  };
}

function toPriceLine(row: OrderLineTable): PriceLine {
  return {
    kind: row.kind,
    name: row.name,
    unitPaise: row.unit_paise,
    basis: row.basis,
    quantity: row.quantity,
    amountPaise: row.amount_paise,
  };
}

type ShopRow = Pick<OrderTable, "shop_name" | "shop_location" | "shop_email" | "shop_contact_number">;

/** The shop of an order as it was when the order was placed, whatever it is called today. */
export function agreedShop(order: ShopRow) {
  return {
    name: order.shop_name,
    location: order.shop_location,
    email: order.shop_email,
    contactNumber: order.shop_contact_number,
  };
}

/** Where an order goes; null where no address was given. */
export function agreedAddress({ address }: Pick<OrderTable, "address">): DeliveryAddress | null {
  return address ? JSON.parse(address) : null;
}
