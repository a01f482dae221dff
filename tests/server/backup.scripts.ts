import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { twoColours } from "../factories/photos.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { BARE_ENVIRONMENT } from "../setup/bare-environment.ts";
import type { TestStore } from "../setup/test-store.ts";

const run = promisify(execFile);
const scripts = join(import.meta.dirname, "../../scripts");

/** Backs the store of a data folder up as an operator does; gives what the script says. */
export function backUp(dataDir: string, folder: string): Promise<string> {
  return runScript("backup.ts", dataDir, folder);
}

/** Puts a backup into a data folder as an operator does; gives what the script says. */
export function restore(folder: string, dataDir: string): Promise<string> {
  return runScript("restore.ts", dataDir, folder);
}

async function runScript(name: string, dataDir: string, folder: string): Promise<string> {
  const env = { ...BARE_ENVIRONMENT, DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [join(scripts, name), folder], { env });
  return stdout;
}

/** What a script says that fails. */
export async function refusalOf(script: Promise<string>): Promise<string> {
  const outcome = await script.catch((error) => error);
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  return outcome.stderr;
}

/** A shop with a photo that staff uploaded. */
export async function shopWithPhoto(store: TestStore): Promise<{ photo: string; shopId: string }> {
  const { visitor } = await signedInAdmin(store);
  const picture = new Uint8Array(await twoColours().png().toBuffer());
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await visitor.send("POST", "/api/trpc/shops.admin.uploadPhoto", picture, headers);
  const { path: photo } = expectDone(answer);
  const { id: shopId } = await shownShop(visitor, undefined, { shopImage: photo });
  return { photo, shopId };
}
