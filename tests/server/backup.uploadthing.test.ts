import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { makeBackup } from "../../scripts/backup/make-backup.ts";
import { restoreBackup } from "../../scripts/backup/restore-backup.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import { tempFolder } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";
import { backUp, restore, shopWithPhoto } from "./backup.scripts.ts";

test("a backup of a store with files at UploadThing contains the database, says so, and works with those files after a restore", async () => {
  const emulator = await UploadThingEmulator.forTest();
  const store = await tempStore(emulator.settings);
  const { photo } = await shopWithPhoto(store);
  const { visitor } = await signedInStudent(store);
  const bytes = new Uint8Array(plainPdf(3));
  const { public_id: id } = (await visitor.upload(bytes)).body;
  const backup = join(await tempFolder(), "backup");

  const said = await backUp(store.dataDir, backup);
  expect(said).toContain(`at UploadThing, in the app ${emulator.appId}, and are not part of this backup`);
  expect((await readdir(backup)).toSorted()).toEqual(["manifest.json", "store.sqlite"]);

  const dataDir = join(await tempFolder(), "restored");
  expect(await restore(backup, dataDir)).toContain(`start it with a token of the app ${emulator.appId}`);
  await expect(startTestStore({ DATA_DIR: dataDir })).rejects.toThrow("are at UploadThing");
  const restored = await tempStore({ DATA_DIR: dataDir, ...emulator.settings });
  const student = visitor.at(restored);
  expect(await (await student.fetch(`/files/${id}`)).bytes()).toEqual(bytes);
  expect((await student.fetch(photo)).status).toBe(200);
});

test("a copy that is only tried out, as the operations page says, deletes nothing at UploadThing that the store needs", async () => {
  const emulator = await UploadThingEmulator.forTest();
  const store = await tempStore(emulator.settings);
  const { visitor } = await signedInStudent(store);
  const bytes = new Uint8Array(plainPdf(3));
  // Ordered after the backup, so that the copy knows it as an upload that nobody ordered in time.
  const { public_id: id } = (await visitor.upload(bytes)).body;
  const backup = join(await tempFolder(), "backup");
  await makeBackup(backup, readConfig({ DATA_DIR: store.dataDir }));
  const dataDir = join(await tempFolder(), "copy");
  const [, setting = "", value = ""] = /(UPLOADTHING_\w+)=(\S+)/.exec(await restore(backup, dataDir)) ?? [];

  const clock = new TestClock();
  clock.advance({ hours: 25 });
  const settings = { ...emulator.settings, DATA_DIR: dataDir, LOG_LEVEL: "silent", [setting]: value };
  const copy = await tempStore(settings, undefined, clock);
  const failure = async () => {
    const { readDb } = copy.deps;
    return readDb.selectFrom("files").select("erase_failed_at").where("id", "=", id).executeTakeFirst();
  };
  await expect.poll(failure).toEqual({ erase_failed_at: expect.any(String) });
  expect(emulator.keys).toEqual([id]);
  expect(await (await visitor.fetch(`/files/${id}`)).bytes()).toEqual(bytes);
});

test("a backup whose manifest falsely claims that its files are elsewhere is refused", async () => {
  const store = await tempStore();
  const backup = join(await tempFolder(), "backup");
  await makeBackup(backup, readConfig({ DATA_DIR: store.dataDir }));
  const path = join(backup, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...manifest, filesInApp: "another" }));
  const restored = restoreBackup(backup, readConfig({ DATA_DIR: join(await tempFolder(), "restored") }));
  await expect(restored).rejects.toThrow(/^The backup is damaged: its manifest and its database [^\n]*$/);
});
