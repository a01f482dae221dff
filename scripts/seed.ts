import { readFile } from "node:fs/promises";
import { z } from "zod";
import { openMigrated } from "#db/migrate.ts";
import { readDemoShops, type SeedReport, seedShops } from "#db/seed/seed.ts";
import { readConfig } from "#server/config.ts";
import { type SeedFile, seedFile } from "#shared/schemas/seed.ts";

try {
  const [path, ...others] = process.argv.slice(2);
  const { databaseUrl, seedDemo } = readConfig(process.env);
  if (others.length > 0 || (path === undefined && !seedDemo)) throw new Error("Usage: npm run seed -- FILE");
  const data = path === undefined ? readDemoShops() : await readSeedFile(path);
  const report = await seedStore(databaseUrl, data);
  console.log(`Seeded ${path ?? "the demo shops"}`);
  console.log(`  shops: ${inWords(report.shops)}`);
  console.log(`  options: ${inWords(report.options)}`);
  for (const { id, outcome, options } of report.byShop) {
    console.log(`  ${id}: ${outcome}; options: ${inWords(options)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function readSeedFile(path: string): Promise<SeedFile> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`);
  });
  const parsed = seedFile.safeParse(parseJson(path, text));
  if (parsed.success) return parsed.data;
  throw new Error(`${path} was refused, and nothing was changed:\n${z.prettifyError(parsed.error)}`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
}

async function seedStore(databaseUrl: string, data: SeedFile): Promise<SeedReport> {
  const database = await openMigrated(databaseUrl);
  try {
    return await seedShops(database.db, data, new Date());
  } finally {
    await database.close();
  }
}

function inWords(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}
