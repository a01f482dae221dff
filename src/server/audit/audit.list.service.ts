import { foldText } from "#shared/fold-text.ts";
import type { AuditListInput } from "#shared/schemas/audit.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import type { Context, StaffMember } from "../context.ts";
import { requireShop } from "../context.ts";
import { LOOKED_FOR, toPage } from "../paging.ts";
import { type AuditLine, findAuditLines } from "./audit.queries.ts";
import { maskEmails } from "./audit.service.ts";

/** A page of the audit log: all of it for an admin, for an owner what concerned their shops. */
export async function listAudit(
  ctx: Context<StaffMember>,
  { search, shopId, cursor, ...filter }: AuditListInput,
): Promise<ListPage<AuditLine>> {
  if (shopId) requireShop(ctx, shopId);
  const shops = shopId ? [shopId] : ctx.actor.shops;
  const terms = foldText(maskEmails(search)).split(" ").filter(Boolean);
  const range = { after: cursor ?? undefined, limit: LOOKED_FOR };
  const { rows, stoppedAt } = await findAuditLines(ctx.readDb, { ...filter, shops, terms }, range);
  return toPage(rows, stoppedAt);
}
