import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "#server/config.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { pseudonym } from "#server/lib/log.ts";
import { phoneField } from "#shared/schemas/fields.ts";
import { readArguments } from "./arguments.ts";

try {
  const usage = "Usage: npm run pseudonym -- EMAIL, PHONE or ADDRESS";
  const [text = ""] = readArguments(usage, { least: 1, most: 1 });
  const { secret, dataDir } = readConfig(process.env);
  const own = secret ?? (await readFile(join(dataDir, IN_DATA_DIR.secret), "utf8").catch(() => null));
  if (!own) throw new Error(`There is no store in ${dataDir}, and SECRET is not set`);
  console.log(pseudonym(createKeyring(own), phoneField.safeParse(text).data ?? text.toLowerCase()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
