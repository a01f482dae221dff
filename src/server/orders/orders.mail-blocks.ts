import { counted } from "#shared/counted.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { chosenPagesText } from "#shared/page-words.ts";
import type { PriceLine, Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { Facts, Links, MailBlock, Prices } from "../mail/mail.blocks.ts";
import type { OrderMailFacts, OrderMailFile } from "./orders.mail-facts.ts";

interface Destined {
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  shop: { name: string; location: string };
}

/**
 * Everything that an order mail shows, in the order in which a shop needs it; a function, since the mails of an order
 * differ in nothing but the URLs of its files.
 */
export function orderBlocks(
  facts: OrderMailFacts,
): (fileUrl: (file: OrderMailFile) => string) => MailBlock[] {
  const before = job(facts);
  const after = [prices(facts.quote), ...destination(facts), student(facts), shop(facts)];
  return (fileUrl) => [before, files(facts, fileUrl), ...after];
}

function job({ number, reprintOf, placedAt, pages, copies, quote, message }: OrderMailFacts): Facts {
  return {
    kind: "facts",
    title: "Print job",
    facts: [
      { label: "Order", value: number },
      ...(reprintOf ? [{ label: "Reprint of", value: `order ${reprintOf}, at no charge` }] : []),
      { label: "Placed", value: indianTime(placedAt) },
      { label: "Number of pages", value: String(pages) },
      { label: "Number of copies", value: String(copies) },
      ...quote.lines.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name })),
      { label: "Sheets of paper", value: String(quote.sheets) },
      { label: "Message", value: message || "None" },
    ],
  };
}

function files({ files }: OrderMailFacts, fileUrl: (file: OrderMailFile) => string): Links {
  return {
    kind: "links",
    title: counted(files.length, "file"),
    links: files.map((file) => ({
      label: file.name,
      url: fileUrl(file),
      note: `${chosenPagesText(file)}, ${fileSize(file.bytes)}`,
    })),
  };
}

/** The price of an order, line by line down to the total. */
export function prices(quote: Quote): Prices {
  const rounding = quote.roundingPaise
    ? [{ label: "Rounded up to whole rupees", amountPaise: quote.roundingPaise }]
    : [];
  return {
    kind: "prices",
    title: "Price",
    prices: [
      ...quote.lines.map((line) => ({
        label: `${OPTION_FIELDS[line.kind].label}: ${line.name}`,
        note: calculation(line),
        amountPaise: line.amountPaise,
      })),
      ...rounding,
      { label: "Subtotal", amountPaise: quote.subTotalPaise },
      { label: "Tax", amountPaise: quote.taxPaise },
      { label: "Delivery fee", amountPaise: quote.deliveryFeePaise },
      { label: "Order total", amountPaise: quote.totalPaise, isTotal: true },
    ],
  };
}

/** Where the order goes or is fetched; nothing where no address was given. */
export function destination({ fulfilment, address, shop }: Destined): Facts[] {
  if (fulfilment === "pickup") {
    return [{ kind: "facts", title: "Pickup", facts: [{ label: shop.name, value: shop.location }] }];
  }
  return address ? [delivery(address)] : [];
}

function delivery({ fullname, flatno, roadNo, country }: DeliveryAddress): Facts {
  return {
    kind: "facts",
    title: "Delivery address",
    facts: [
      { label: "Delivery to", value: fullname },
      { label: "Flat number", value: flatno },
      { label: "Road number", value: roadNo },
      { label: "Country and district", value: country },
    ],
  };
}

function student({ student }: OrderMailFacts): Facts {
  return {
    kind: "facts",
    title: "Student",
    facts: [
      { label: "Name", value: student.fullName },
      { label: "Email", value: student.email },
      { label: "Phone", value: student.phone },
    ],
  };
}

function shop({ shop }: OrderMailFacts): Facts {
  return {
    kind: "facts",
    title: "Shop",
    facts: [
      { label: "Name", value: shop.name },
      { label: "Location", value: shop.location },
      { label: "Email", value: shop.email },
      { label: "Contact number", value: shop.contactNumber || "None" },
    ],
  };
}

/** Such as `₹1.50 × 64 pages`. */
function calculation({ unitPaise, basis, quantity }: PriceLine): string {
  return basis === "order"
    ? `${formatPaise(unitPaise)} once`
    : `${formatPaise(unitPaise)} × ${counted(quantity, basis)}`;
}

const megabyteFormat = onFirstUse(
  () => new Intl.NumberFormat("en-IN", { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }),
);
const kilobyteFormat = onFirstUse(() => new Intl.NumberFormat("en-IN", { style: "unit", unit: "kilobyte" }));

function fileSize(bytes: number): string {
  if (bytes >= 1e6) return megabyteFormat().format(bytes / 1e6);
  return kilobyteFormat().format(Math.ceil(bytes / 1000));
}
