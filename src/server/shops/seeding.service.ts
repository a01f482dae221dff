import { exportShops, type SeedExport } from "#db/seed/export.ts";
import { NameTaken, type SeedReport, writeSeed } from "#db/seed/seed.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { SeedFile } from "#shared/schemas/seed.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { tellOfNewAddress } from "./payment-address.service.ts";

/** Everything in the store that a seed file can hold, as one. */
export function exportSeed(ctx: Context<Admin>): Promise<SeedExport> {
  return exportShops(ctx.readDb);
}

/** Brings the store's shops and prices to what the file says, exactly as `npm run seed` does. */
export async function applySeed(ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  return transact(ctx.db, (trx) => storeSeed(trx, ctx, file));
}

/** What applying the file would do. Nothing stays: the transaction is given up once it is known. */
export async function previewSeed(ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  try {
    return await transact(ctx.db, async (trx) => {
      throw new Rehearsal(await storeSeed(trx, ctx, file));
    });
  } catch (end) {
    if (end instanceof Rehearsal) return end.report;
    throw end;
  }
}

/** Thrown to end a transaction whose outcome is wanted, and whose changes are not. */
class Rehearsal extends Error {
  readonly report: SeedReport;

  constructor(report: SeedReport) {
    super("rehearsed");
    this.report = report;
  }
}

async function storeSeed(trx: Trx, ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  const upiIds = await upiIdsOf(trx, file);
  const author = { name: ctx.actor.user.fullName, now: ctx.now() };
  const report = await writeSeed(trx, file, author).catch((error: unknown) => {
    throw error instanceof NameTaken ? new AppError("CONFLICT", error.message) : error;
  });
  for (const { id, name, outcome, options } of report.byShop) {
    const { unchanged, ...changes } = options;
    if (outcome === "unchanged" && Object.values(changes).every((count) => count === 0)) continue;
    await recordAudit(trx, ctx, {
      action: "seed.apply",
      subject: { id, name },
      shopId: id,
      after: { shop: outcome, options: { ...changes, unchanged } },
    });
  }
  for (const { id, shopName: name, upiId: to } of file.shops) {
    const from = upiIds.get(id);
    if (from === undefined || to === undefined || from === to) continue;
    await tellOfNewAddress(trx, ctx, { shop: { id, name }, from, to });
  }
  return report;
}

/** The payment addresses, before the seed, of those of its shops that are in the store. */
async function upiIdsOf(trx: Trx, { shops }: SeedFile): Promise<Map<string, string>> {
  const ids = shops.map(({ id }) => id);
  const rows = await trx.selectFrom("shops").select(["id", "upi_id"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row.upi_id]));
}
