import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { twoColours } from "../factories/photos.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import type { TestStore } from "../setup/test-store.ts";

const run = promisify(execFile);
const scripts = join(import.meta.dirname, "../../scripts");

type Settings = Record<string, string>;

/** Backs up a data folder with the operator's script; returns its output. */
export function backUp(dataDir: string, folder: string, env: Settings = {}): Promise<string> {
  return runScript("backup.ts", folder, { DATA_DIR: dataDir, ...env });
}

/** Restores a backup to a data folder with the operator's script; returns its output. */
export function restore(folder: string, dataDir: string, env: Settings = {}): Promise<string> {
  return runScript("restore.ts", folder, { DATA_DIR: dataDir, ...env });
}

async function runScript(name: string, folder: string, settings: Settings): Promise<string> {
  const env = { ...BARE_ENVIRONMENT, ...settings };
  const { stdout } = await run(process.execPath, [join(scripts, name), folder], { env });
  return stdout;
}

/** The output of a script that fails. */
export async function refusalOf(script: Promise<string>): Promise<string> {
  const outcome = await script.catch((error) => error);
  expect(outcome).toMatchObject({ code: 1, stdout: "" });
  return outcome.stderr;
}

/** The path of a photo that was uploaded for a shop which is not saved yet. */
export async function uploadedPhoto(visitor: ApiClient): Promise<string> {
  const picture = new Uint8Array(await twoColours().png().toBuffer());
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await visitor.send("POST", "/api/trpc/shops.admin.uploadPhoto", picture, headers);
  return expectDone(answer).path;
}

/** A shop with an uploaded photo. */
export async function shopWithPhoto(store: TestStore): Promise<{ photo: string; shopId: string }> {
  const { visitor } = await signedInAdmin(store);
  const photo = await uploadedPhoto(visitor);
  const { id: shopId } = await shownShop(visitor, undefined, { shopImage: photo });
  return { photo, shopId };
}
