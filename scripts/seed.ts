import { readFile } from "node:fs/promises";
import type { Db } from "#db/database.ts";
import { openMigrated } from "#db/migrate.ts";
import { readDemoShops, type SeedReport, seedShops } from "#db/seed/seed.ts";
import { type Config, readConfig } from "#server/config.ts";
import { areFilesOnDisk } from "#server/files/storage/location.service.ts";
import { requirePhotos } from "#server/shops/photos.service.ts";
import { placeIn, type SeedFile, seedFile } from "#shared/schemas/seed.ts";
import { readArguments } from "./arguments.ts";

try {
  const usage = "Usage: npm run seed -- FILE";
  const [path] = readArguments(usage, { most: 1 });
  const config = readConfig(process.env);
  if (path === undefined && !config.seedDemo) throw new Error(usage);
  const data = path === undefined ? readDemoShops() : await readSeedFile(path);
  const { report, moved } = await seedStore(config, data, { isDemo: path === undefined });
  console.log(`Seeded ${path ?? "the demo shops"}`);
  console.log(`  shops: ${inWords(report.shops)}`);
  console.log(`  options: ${inWords(report.options)}`);
  for (const { id, outcome, options } of report.byShop) {
    console.log(`  ${id}: ${outcome}; options: ${inWords(options)}`);
  }
  for (const line of moved) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function readSeedFile(path: string): Promise<SeedFile> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  const json = parseJson(path, text.replace(/^\uFEFF/, ""));
  const parsed = seedFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    (issue) => `  ${placeIn(json, issue.path) || "file"}: ${issue.message}`,
  );
  throw new Error(`${path} was refused, and nothing was changed:\n${faults.join("\n")}`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
}

async function seedStore(
  config: Config,
  data: SeedFile,
  { isDemo }: { isDemo: boolean },
): Promise<{ report: SeedReport; moved: string[] }> {
  const { db, readDb, close } = await openMigrated(config.databaseUrl);
  try {
    const former = await db.selectFrom("shops").select(["id", "upi_id", "email"]).execute();
    if (isDemo) await refuseInUse(db, data, former);
    const files = { isShared: !(await areFilesOnDisk(db)) };
    await requirePhotos({ config, db, readDb, files, now: () => new Date() }, data.shops);
    const report = await seedShops(db, data, new Date());
    return { report, moved: former.flatMap((shop) => movesOf(shop, data)) };
  } finally {
    await close();
  }
}

/** NODE_ENV alone would not do: a command is often run without the settings of the server. */
async function refuseInUse(db: Db, demo: SeedFile, shops: { id: string }[]): Promise<void> {
  const isOwn = shops.some(({ id }) => !demo.shops.some((shop) => shop.id === id));
  const order = isOwn || (await db.selectFrom("orders").select("id").limit(1).executeTakeFirst());
  if (order)
    throw new Error(
      "The demo shops were not loaded: this store has orders, or shops of its own. To load shops: npm run seed -- FILE",
    );
}

/** What an operator must see, because nobody is told by mail: where a shop is paid, and where its orders go, if that changed. */
function movesOf(former: { id: string; upi_id: string; email: string }, { shops }: SeedFile): string[] {
  const shop = shops.find(({ id }) => id === former.id);
  if (!shop) return [];
  const { upiId = former.upi_id, email } = shop;
  return [
    ...(upiId === former.upi_id ? [] : [`${shop.id}: UPI ID “${upiId}”, which was “${former.upi_id}”`]),
    ...(email === former.email ? [] : [`${shop.id}: e-mail ${email}, which was ${former.email}`]),
  ];
}

function inWords(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}
