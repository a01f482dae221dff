import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "#server/config.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { pseudonym } from "#server/lib/log.ts";

try {
  const [text] = process.argv.slice(2);
  if (!text) throw new Error("Usage: npm run pseudonym -- EMAIL, PHONE or ADDRESS");
  const { secret, dataDir } = readConfig(process.env);
  const own = secret ?? (await readFile(join(dataDir, IN_DATA_DIR.secret), "utf8").catch(() => null));
  if (!own) throw new Error(`There is no store in ${dataDir}, and SECRET is not set`);
  console.log(pseudonym(createKeyring(own), text.toLowerCase()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
