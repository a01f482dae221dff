import type { Insertable } from "kysely";
import type { AuditLogTable, OutboxTable, UserTable } from "#db/schema.ts";
import type { MailContent } from "#server/mail/blocks.ts";
import type { KnownStudent } from "#server/orders/board/search-words.ts";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { foldText } from "#shared/fold-text.ts";
import type { Role } from "#shared/schemas/accounts.ts";
import type { Dice } from "./dice.ts";
import type { Step } from "./orders.ts";
import { LOAD_ADMIN } from "./rows.ts";

export type Person = Insertable<UserTable>;

/** The most frequent ones first. */
const FIRST_NAMES =
  "Priya Rahul Ananya Rohan Sneha Arjun Pooja Aditya Kavya Vikram Divya Karthik Neha Siddharth Meera Amit Ishita Harsh Shreya Nikhil Aishwarya Varun Ritika Manish Lakshmi Gaurav Tanvi Suresh Nandini Deepak Zoya Imran Fatima Joseph Mary Gurpreet Simran Harpreet Tenzin Lalrinpuia".split(
    " ",
  );
const SURNAMES =
  "Kumar Sharma Singh Reddy Patel Gupta Nair Verma Iyer Das Yadav Rao Joshi Mehta Banerjee Khan Pillai Chauhan Mishra Ghosh Desai Kulkarni Menon Bhat Shetty Chatterjee Thomas Kaur Ansari Naidu Hegde Sinha Dutta Fernandes Bora Wangchuk Zothanpuia Kharkongor Oommen Quadri".split(
    " ",
  );
const COLLEGES = ["iitkgp", "vit", "du", "bits", "annauniv", "coep", "lpu", "iisc"];

/** Indian mobile numbers begin with 6 to 9; stepping by a prime makes them unique. */
const FIRST_PHONE = 6_000_000_000;
const PHONES = 4_000_000_000;
const PHONE_STEP = 104_729_027;

/** The words by which their orders are found. */
export function knownStudent({ full_name: fullName, phone, email }: Person): KnownStudent {
  return { fullName, phone: phone ?? "", email };
}

export interface People {
  admin: Person;
  owners: Person[];
  students: Person[];
}

/** @param passwordHash of the password that they all share */
export function makePeople(
  dice: Dice,
  counts: { owners: number; students: number },
  { passwordHash, since }: { passwordHash: string; since: Date },
): People {
  let made = 0;
  const person = (role: Role, fullName: string, email: string): Person => ({
    id: dice.id(),
    email,
    phone: String(FIRST_PHONE + ((++made * PHONE_STEP) % PHONES)),
    full_name: fullName,
    password_hash: passwordHash,
    role,
    verified_at: since.toISOString(),
    terms_accepted_at: since.toISOString(),
    created_at: since.toISOString(),
  });
  const several = (role: Role, count: number, host: () => string) =>
    Array.from({ length: count }, (_, index) => {
      const first = dice.favour(FIRST_NAMES);
      const last = dice.favour(SURNAMES);
      const mailbox = `${first}.${last}${index + 1}`.toLowerCase();
      return person(role, `${first} ${last}`, `${mailbox}@${host()}.example`);
    });
  return {
    admin: person("admin", "Load Admin", LOAD_ADMIN),
    owners: several("owner", counts.owners, () => "shops"),
    students: several("customer", counts.students, () => dice.pick(COLLEGES)),
  };
}

/** The other rows that an order leaves. */
export interface SideRows {
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
export function makeSideRows(dice: Dice, papers: Papers): SideRows {
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
    attempts: 1,
    due_at: placedAt,
    created_at: placedAt,
    sent_at: placedAt,
    failed_at: null,
    last_error: null,
  });
  return [mail("order-student", student.email), mail("order-shop", shop.email)];
}
