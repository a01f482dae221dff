import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import type { Deps } from "#server/context.ts";
import { withLease } from "#server/files/files.service.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { signedInStudent } from "../factories/students.ts";
import { tempFolder } from "../setup/temp-database.ts";
import { startTestStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";

// Two jobs on one file at once, on servers that share their files. The store that received the file is stopped first,
// because it would check its colours too.

let deps: Pick<Deps, "db" | "files" | "now">;
let id: string;
beforeEach(async () => {
  const emulator = await UploadThingEmulator.forTest();
  const settings = { ...emulator.settings, DATA_DIR: await tempFolder(), LOG_LEVEL: "silent" };
  const store = await startTestStore(settings);
  const { visitor } = await signedInStudent(store);
  id = (await visitor.upload(new Uint8Array(numberedPdf("Notes", 2)))).body.public_id;
  await store.stop();
  const { db, close } = await openDatabase(store.deps.config.databaseUrl);
  onTestFinished(close);
  deps = { ...store.deps, db };
  await change({ colour_checked_pages: null });
});

const at = new Date().toISOString();

function change(values: { colour_checked_pages?: null; deleted_at?: string; leased_until?: null }) {
  return deps.db.updateTable("files").set(values).where("id", "=", id).execute();
}

const done = async () => "done" as const;
const erase = (body: () => Promise<string>) => withLease(deps, { id, work: "erasure" }, body);
const findColours = (body: () => Promise<string>) => withLease(deps, { id, work: "colours" }, body);

test("a deleted file is not checked for colour, so that it can be erased at once", async () => {
  await change({ deleted_at: at });
  expect(await findColours(done)).toBeNull();
  expect(await erase(done)).toBe("done");
});

test("a file can be erased during its colour check, and only by one server", async () => {
  const erasure = Promise.withResolvers<string>();
  let erased: Promise<string | null> | undefined;
  await findColours(async () => {
    await change({ deleted_at: at, leased_until: null });
    await new Promise<void>((begun) => {
      erased = erase(() => {
        begun();
        return erasure.promise;
      });
    });
    return "looked at";
  });
  expect(await erase(done)).toBeNull();
  erasure.resolve("erased");
  expect(await erased).toBe("erased");
});

test("a lease on a file ends after 60 seconds, so that another server can continue", async () => {
  await change({ deleted_at: at });
  const [died, began] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const start = deps.now();
  const first = erase(() => {
    began.resolve();
    return died.promise;
  });
  await began.promise;
  const later = (ms: number) => () => new Date(start.getTime() + ms);
  const eraseLater = (ms: number) =>
    withLease({ ...deps, now: later(ms) }, { id, work: "erasure" }, async () => "done");
  expect(await eraseLater(60_000 - 1)).toBeNull();
  expect(await eraseLater(60_000)).toBe("done");
  died.resolve("too late");
  await first;
});

test("a file that is not marked as deleted is not erased", async () => {
  expect(await erase(done)).toBeNull();
  expect(await findColours(done)).toBe("done");
});
