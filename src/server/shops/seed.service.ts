import { exportShops, type SeedExport } from "#db/seed/export.ts";
import { NameTaken, type SeedReport, writeSeed } from "#db/seed/seed.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { SeedFile } from "#shared/schemas/seed.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { notifyAddressChange } from "./payment-address.service.ts";

/** All shops and price lists in the format of a seed file. */
export function exportSeed(ctx: Context<Admin>): Promise<SeedExport> {
  return exportShops(ctx.readDb);
}

/** Applies a seed file, exactly as `npm run seed` does. */
export async function applySeed(ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  return transact(ctx.db, (trx) => storeSeed(trx, ctx, file));
}

/** Reports what a seed file would change; the transaction is rolled back. */
export async function previewSeed(ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  try {
    return await transact(ctx.db, async (trx) => {
      throw new DryRun(await storeSeed(trx, ctx, file));
    });
  } catch (end) {
    if (end instanceof DryRun) return end.report;
    throw end;
  }
}

/** Thrown to roll back a transaction but keep its result. */
class DryRun extends Error {
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
    await notifyAddressChange(trx, ctx, { shop: { id, name }, from, to });
  }
  return report;
}

/** The current payment addresses of the shops that the file and the store both have. */
async function upiIdsOf(trx: Trx, { shops }: SeedFile): Promise<Map<string, string>> {
  const ids = shops.map(({ id }) => id);
  const rows = await trx.selectFrom("shops").select(["id", "upi_id"]).where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row.upi_id]));
}
