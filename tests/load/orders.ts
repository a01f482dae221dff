import type { Insertable } from "kysely";
import type {
  AuditLogTable,
  FileTable,
  OrderFileTable,
  OrderHistoryTable,
  OrderLineTable,
  OrderTable,
  OutboxTable,
  ShopOptionTable,
  ShopTable,
} from "#db/schema.ts";
import { sha256 } from "#server/lib/crypto.ts";
import type { MailContent } from "#server/mail/blocks.ts";
import { orderText } from "#server/orders/board/search-words.ts";
import { linesOf } from "#server/orders/placement/placement.service.ts";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { foldText } from "#shared/fold-text.ts";
import { mapKinds, type OptionKind } from "#shared/options.ts";
import { nextState, type OrderState, STATES_WITHOUT_FILES } from "#shared/order-states.ts";
import { priceJob, type Quote } from "#shared/pricing.ts";
import type { Dice } from "./dice.ts";
import { knownStudent, type Person } from "./people.ts";

type Shop = Pick<ShopTable, "id" | "name" | "location" | "email" | "contact_number">;
type Option = Pick<ShopOptionTable, "id" | "name" | "price_paise" | "basis" | "sides">;

/** A shop with what orders need. */
export interface LoadShop extends Shop {
  /** Who works on its orders. */
  owner: Person;
  options: Record<OptionKind, Option[]>;
}

/** An order with all its rows. */
export interface GeneratedOrder extends SideRows {
  order: Insertable<OrderTable>;
  lines: Insertable<OrderLineTable>[];
  files: Insertable<FileTable>[];
  orderFiles: Insertable<OrderFileTable>[];
  events: Insertable<OrderHistoryTable>[];
  steps: Step[];
}

interface Placing {
  number: string;
  shop: LoadShop;
  student: Person;
  /** When it was placed, and until when it was worked on, in ms. */
  placedAt: number;
  until: number;
}

const TITLES = ["Notes", "Assignment", "Lab record", "Project report", "Question paper", "Thesis chapter"];
const MESSAGES = [
  "Please staple at the top left",
  "Pages 1 to 4 in colour",
  "I come at 5 pm",
  "Call me if late",
];

export function makeOrder(dice: Dice, placing: Placing): GeneratedOrder {
  const { number, shop, student, placedAt } = placing;
  const id = dice.idAt(placedAt);
  const steps = makeJourney(dice, placedAt, placing.until);
  const deletion = deletionOf(steps);
  const isDeleted = deletion !== undefined && deletion <= placing.until;
  const files = makeFiles(dice, placing, { orderId: id, deletedAt: isDeleted ? deletion : undefined });
  const pages = files.reduce((sum, file) => sum + file.pages, 0);
  const copies = dice.chance(0.75) ? 1 : Math.ceil(dice.around(4));
  const chosen = chooseOptions(dice, shop);
  const quote = priceJob({ pages, copies, options: priced(chosen) });
  const papers = { order: { id, number, shop_id: shop.id }, shop, owner: shop.owner, student, steps };
  return {
    ...makeSideRows(dice, papers),
    order: {
      id,
      number,
      user_id: student.id,
      shop_id: shop.id,
      state: (steps.at(-1) ?? steps[0]).state,
      shop_name: shop.name,
      shop_location: shop.location,
      shop_email: shop.email,
      shop_contact_number: shop.contact_number,
      pages,
      copies,
      sides: quote.jobs[0]?.sides ?? 1,
      sheets: quote.sheets,
      message: dice.chance(0.3) ? dice.pick(MESSAGES) : "",
      user_email: student.email,
      address: JSON.stringify(addressOf(dice, student)),
      sub_total_paise: quote.subTotalPaise,
      tax_paise: quote.taxPaise,
      delivery_fee_paise: quote.deliveryFeePaise,
      total_paise: quote.totalPaise,
      idempotency_key: dice.id(),
      request_hash: sha256(number),
      created_at: new Date(placedAt).toISOString(),
      fulfilment: "delivery",
      pickup_tries_left: 0,
      paid_paise: 0,
      refunded_paise: 0,
      credited_paise: 0,
      search_text: orderText({ number }, knownStudent(student)),
      promised_at: null,
      files_delete_at: isDeleted || deletion === undefined ? null : new Date(deletion).toISOString(),
    },
    lines: makeLines(id, chosen, quote),
    files,
    orderFiles: files.map((file, position) => ({ order_id: id, position, file_id: file.id })),
    events: steps.map(({ state, at, reason }) => ({
      id: dice.idAt(at),
      order_id: id,
      state,
      by_user_id: state === "placed" ? student.id : shop.owner.id,
      reason,
      created_at: new Date(at).toISOString(),
    })),
    steps,
  };
}

function makeFiles(
  dice: Dice,
  { student, shop, placedAt }: Placing,
  { orderId, deletedAt }: { orderId: string; deletedAt: number | undefined },
): Insertable<FileTable>[] {
  const gone = deletedAt === undefined ? null : new Date(deletedAt).toISOString();
  return Array.from({ length: dice.chance(0.75) ? 1 : dice.int(2, 4) }, () => {
    const id = dice.id();
    const pages = Math.min(400, Math.ceil(dice.around(18)) || 1);
    return {
      id,
      owner_id: student.id,
      original_filename: `${dice.pick(TITLES)} ${dice.int(1, 12)}.pdf`,
      bytes: pages * dice.int(20_000, 90_000),
      pages,
      page_sizes: JSON.stringify({ A4: `1-${pages}` }),
      sha256: sha256(id),
      colour_pages: "",
      colour_checked_pages: pages,
      order_id: orderId,
      created_at: new Date(placedAt - 120_000).toISOString(),
      deleted_at: gone,
      deleted_by: gone && shop.owner.id,
      erased_at: gone,
      erase_failed_at: null,
    };
  });
}

function chooseOptions(dice: Dice, { options }: LoadShop): Record<OptionKind, Option> {
  return mapKinds((kind) => dice.favour(options[kind]));
}

function priced(chosen: Record<OptionKind, Option>) {
  return mapKinds((kind) => {
    const { name, price_paise: pricePaise, basis, sides } = chosen[kind];
    return { name, pricePaise, basis, sides };
  });
}

function makeLines(
  orderId: string,
  chosen: Record<OptionKind, Option>,
  quote: Quote,
): GeneratedOrder["lines"] {
  return linesOf(orderId, quote, [mapKinds((kind) => chosen[kind].id)]);
}

function addressOf(dice: Dice, student: Person) {
  return {
    country: "India",
    roadNo: `Hostel Road ${dice.int(1, 40)}`,
    flatno: `Room ${dice.int(100, 450)}`,
    fullname: student.full_name,
  };
}

/** A state of the order, and when it was reached, in ms. */
interface Step {
  state: OrderState;
  at: number;
  /** Why it was cancelled. */
  reason: string | null;
}
/** The default of PRINT_GRACE_MINUTES. */
const PRINT_GRACE_MS = 30 * MINUTE_MS;
/** How long an order stays in a state on average, in minutes. */
const STAY: Record<OrderState, number> = {
  placed: 45,
  printing: 30,
  printed: 120,
  dispatched: 400,
  delivered: 0,
  cancelled: 0,
};
/** The shares of orders that are cancelled, or left as they are, at every step. */
const CANCELLED_SHARE = 0.015;
const FORGOTTEN_SHARE = 0.001;

const REASONS = [
  "The file has empty pages. Please upload it again",
  "We have run out of this paper until tomorrow",
  "The student asked us to cancel",
  "The pages are cut off at the right side",
];

/** The states of an order until `end`, starting with `placed`. */
function makeJourney(dice: Dice, placedAt: number, end: number): [Step, ...Step[]] {
  const steps: [Step, ...Step[]] = [{ state: "placed", at: placedAt, reason: null }];
  let state: OrderState | null = "placed";
  let at = placedAt;
  while (state) {
    at += Math.ceil(dice.around(STAY[state]) * MINUTE_MS) + MINUTE_MS;
    const canBeCancelled = state !== "dispatched";
    state = nextState({ fulfilment: "delivery", state });
    if (!state || at > end || dice.chance(FORGOTTEN_SHARE)) break;
    if (canBeCancelled && dice.chance(CANCELLED_SHARE)) {
      steps.push({ state: "cancelled", at, reason: dice.pick(REASONS) });
      break;
    }
    steps.push({ state, at, reason: null });
  }
  return steps;
}

/** When the order's files are deleted, in ms; undefined while they are needed. */
function deletionOf(steps: Step[]): number | undefined {
  const printed = steps.find(({ state }) => state === "printed");
  const over = steps.find(({ state }) => STATES_WITHOUT_FILES.includes(state));
  const moments = [over?.at, printed && printed.at + PRINT_GRACE_MS].filter((at) => at !== undefined);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** The other rows that an order leaves. */
interface SideRows {
  audit: Insertable<AuditLogTable>[];
  mails: Insertable<OutboxTable>[];
}

interface Papers {
  order: { id: string; number: string; shop_id: string };
  shop: { name: string; email: string };
  owner: Person;
  student: Person;
  steps: [Step, ...Step[]];
}

/** What was written while an order was worked on: a log line for each move, and the mails of its placement. */
function makeSideRows(dice: Dice, papers: Papers): SideRows {
  return { audit: auditLines(dice, papers), mails: mailsOfPlacing(dice, papers) };
}

function auditLines(dice: Dice, { order, owner, steps }: Papers): SideRows["audit"] {
  return steps.slice(1).map(({ state, at, reason }, index) => {
    const action = state === "cancelled" ? "order.cancel" : "order.move";
    const before = JSON.stringify({ state: steps[index]?.state });
    const after = JSON.stringify({ state, ...(reason !== null && { reason }) });
    const searched = [owner.full_name, owner.email, AUDIT_ACTIONS[action], order.number, before, after];
    return {
      id: dice.idAt(at),
      created_at: new Date(at).toISOString(),
      by_user_id: owner.id,
      by_name: owner.full_name,
      by_email: owner.email,
      action,
      subject_id: order.id,
      subject_name: order.number,
      shop_id: order.shop_id,
      before,
      after,
      search_text: foldText(searched.join(" ")),
    };
  });
}

/** One mail to the student and one to the shop, both sent; real content would only fill the disk. */
function mailsOfPlacing(dice: Dice, { order, shop, student, steps: [placed] }: Papers): SideRows["mails"] {
  const placedAt = new Date(placed.at).toISOString();
  const text = `Order ${order.number} at ${shop.name}`;
  const mail = (kind: string, recipient: string) => ({
    id: dice.idAt(placed.at),
    kind,
    recipient,
    reply_to: null,
    subject: text,
    content: JSON.stringify({ title: text, blocks: [], footer: "" } satisfies MailContent),
    secret: 0 as const,
    priority: 0,
    attempts: 1,
    due_at: placedAt,
    created_at: placedAt,
    sent_at: placedAt,
    failed_at: null,
    last_error: null,
  });
  return [mail("order-student", student.email), mail("order-shop", shop.email)];
}
