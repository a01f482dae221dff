import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IN_DATA_DIR } from "./data-dir.ts";

/** The secret kept in the data folder; made on the first start. Two servers that start at once end up with one. */
export async function loadSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, IN_DATA_DIR.secret);
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, "utf8");
}
