import { exportShops, type SeedExport } from "#db/seed/export.ts";
import { type SeededShop, SeedRefused, type SeedReport, writeSeed } from "#db/seed/seed.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { SeedFile } from "#shared/schemas/seed.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { notifyEmailChange } from "./order-email.service.ts";
import { notifyAddressChange } from "./payment-address.service.ts";
import { requirePhotos } from "./photos.service.ts";

/** The next shops with their price lists in the format of a seed file. */
export function exportSeed(
  ctx: Context<Admin>,
  { after }: { after?: string | undefined },
): Promise<SeedExport> {
  return exportShops(ctx.readDb, after);
}

/** By shop: which version of its details and prices is saved. */
type SeedBase = Record<string, string>;

/**
 * Applies a seed file, as `npm run seed` does. Throws CONFLICT, naming the shops, if any that it changes was saved since the
 * preview whose `base` this is.
 */
export async function applySeed(
  ctx: Context<Admin>,
  { file, base }: { file: SeedFile; base: SeedBase },
): Promise<SeedReport> {
  await requirePhotos(ctx, file.shops);
  return transact(ctx.db, async (trx) => {
    const saved = await lockBase(trx, file);
    const report = await storeSeed(trx, ctx, file);
    requireSameBase(report, saved, base);
    return report;
  });
}

function requireSameBase({ byShop }: SeedReport, saved: SeedBase, base: SeedBase): void {
  const names = byShop.filter((shop) => isChanged(shop) && saved[shop.id] !== base[shop.id]);
  if (names.length === 0) return;
  throw new AppError(
    "CONFLICT",
    `Nothing was imported, because this was saved since the preview: ${names.map(({ name }) => name).join(", ")}. Please look again`,
  );
}

/** Locks the shops of the file that exist, in one order for all, until the transaction ends. */
async function lockBase(trx: Trx, { shops }: SeedFile): Promise<SeedBase> {
  const ids = shops.map(({ id }) => id).toSorted();
  for (const id of ids) await lockRow(trx, "shops", id);
  const rows = await trx
    .selectFrom("shops")
    .leftJoin("price_lists", "price_lists.shop_id", "shops.id")
    .select(["shops.id", "shops.version", "price_lists.version as prices"])
    .where("shops.id", "in", ids)
    .execute();
  return Object.fromEntries(rows.map(({ id, version, prices }) => [id, `${version} ${prices ?? 0}`]));
}

/** Reports what a seed file would change, and against which state; the transaction is rolled back. */
export async function previewSeed(
  ctx: Context<Admin>,
  file: SeedFile,
): Promise<SeedReport & { base: SeedBase }> {
  await requirePhotos(ctx, file.shops);
  try {
    return await transact(ctx.db, async (trx) => {
      const base = await lockBase(trx, file);
      throw new DryRun({ ...(await storeSeed(trx, ctx, file)), base });
    });
  } catch (end) {
    if (end instanceof DryRun) return end.report;
    throw end;
  }
}

/** Thrown to roll back a transaction but keep its result. */
class DryRun extends Error {
  readonly report: SeedReport & { base: SeedBase };

  constructor(report: DryRun["report"]) {
    super("rehearsed");
    this.report = report;
  }
}

async function storeSeed(trx: Trx, ctx: Context<Admin>, file: SeedFile): Promise<SeedReport> {
  const former = await addressesOf(trx, file);
  const author = { name: ctx.actor.user.fullName, now: ctx.now() };
  const report = await writeSeed(trx, file, author).catch((error: unknown) => {
    throw error instanceof SeedRefused ? new AppError("CONFLICT", error.message) : error;
  });
  for (const { id, name, outcome, options } of report.byShop.filter(isChanged)) {
    const { unchanged, ...changes } = options;
    await recordAudit(trx, ctx, {
      action: "seed.apply",
      subject: { id, name },
      shopId: id,
      after: { shop: outcome, options: { ...changes, unchanged } },
    });
  }
  for (const { id, shopName: name, email, upiId } of file.shops) {
    const from = former.get(id);
    if (from && upiId !== undefined && upiId !== from.upi_id)
      await notifyAddressChange(trx, ctx, { shop: { id, name }, from: from.upi_id, to: upiId });
    if (email !== from?.email)
      await notifyEmailChange(trx, ctx, { id, name, email, orderEmail: from?.order_email ?? "" });
  }
  return report;
}

function isChanged({ outcome, options: { unchanged, ...changes } }: SeededShop): boolean {
  return outcome !== "unchanged" || Object.values(changes).some((count) => count > 0);
}

/** Where the shops that the file and the store both have are paid now, and get their orders. */
async function addressesOf(trx: Trx, { shops }: SeedFile) {
  const ids = shops.map(({ id }) => id);
  const rows = await trx
    .selectFrom("shops")
    .select(["id", "upi_id", "email", "order_email"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
