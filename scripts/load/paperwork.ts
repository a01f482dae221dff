import type { Insertable } from "kysely";
import type { AuditLogTable, OutboxTable } from "#db/schema.ts";
import type { MailContent } from "#server/mail/mail.blocks.ts";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { foldText } from "#shared/fold-text.ts";
import type { Dice } from "./dice.ts";
import type { Step } from "./journey.ts";
import type { Person } from "./people.ts";

/** The rows that an order leaves behind beside itself. */
export interface Paperwork {
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

/** What was written down while an order was worked off: a line in the log for each move, and the mails of its placing. */
export function makePaperwork(dice: Dice, papers: Papers): Paperwork {
  return { audit: auditLines(dice, papers), mails: mailsOfPlacing(dice, papers) };
}

function auditLines(dice: Dice, { order, owner, steps }: Papers): Paperwork["audit"] {
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

/** One to the student and one to the shop, both sent; what a real one says would fill the disk only. */
function mailsOfPlacing(dice: Dice, { order, shop, student, steps: [placed] }: Papers): Paperwork["mails"] {
  const placedAt = new Date(placed.at).toISOString();
  const text = `Order ${order.number} at ${shop.name}`;
  const mail = (kind: string, recipient: string) => ({
    id: dice.idAt(placed.at),
    kind,
    recipient,
    reply_to: null,
    subject: text,
    content: JSON.stringify({ title: text, blocks: [], footer: "" } satisfies MailContent),
    text_body: "",
    html_body: "",
    images: null,
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
