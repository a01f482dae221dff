import { readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, beforeEach, expect, test } from "vitest";
import {
  deleteUnusedSharedPhotos,
  deleteUnusedShopPhotos,
  sharePhoto,
} from "#server/shops/photos.service.ts";
import { blackPng, sidewaysPhoto, transparentPicture, twoColours } from "../factories/photos.ts";
import { expectDone, newShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { makeUnremovable } from "../factories/stored-files.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let owner: StaffPerson;
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
});
// Some tests wait for days, longer than sessions of staff last.
beforeEach(() => logInAgain(owner));

function upload(picture: Uint8Array | string): Promise<ApiAnswer> {
  const headers = { "Content-Type": "application/octet-stream" };
  return owner.visitor.send(
    "POST",
    "/api/trpc/shops.admin.uploadPhoto",
    new Uint8Array(Buffer.from(picture)),
    headers,
  );
}

const failureOf = ({ status, body }: ApiAnswer) => [status, body.error?.message];
const fetchPhoto = (path: string) => store.visitor().fetch(path);
const kept = () => readdir(join(store.dataDir, "shop-images")).catch(() => []);

test.each(["png", "jpeg", "webp"] as const)(
  "a %s becomes WebP pictures of 960 × 720 and 480 × 360, which may be cached for ever",
  async (format) => {
    const { path } = expectDone(await upload(await twoColours(1500).toFormat(format).toBuffer()));

    expect(path).toMatch(/^\/shop-photos\/[0-9a-f]{32}\.webp$/);
    for (const [url, width, height] of [
      [path, 960, 720],
      [path.replace(".webp", "-480.webp"), 480, 360],
    ]) {
      const answer = await fetchPhoto(url);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const facts = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect(facts).toMatchObject({ format: "webp", width, height });
    }
  },
);

test("a photo is rotated upright and stripped of camera data", async () => {
  const { path } = expectDone(await upload(await sidewaysPhoto()));

  const photo = sharp(Buffer.from(await (await fetchPhoto(path)).arrayBuffer()));
  const { exif, orientation } = await photo.metadata();
  expect([exif, orientation]).toEqual([undefined, undefined]);
  const { data, info } = await photo.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
  ];
  const [redAbove, blueBelow] = [pixel(480, 20), pixel(480, 700)];
  expect(redAbove[0]).toBeGreaterThan(200);
  expect(blueBelow[2]).toBeGreaterThan(200);
});

test("the same picture is stored once", async () => {
  const picture = await twoColours().png().toBuffer();
  const [first, second] = [expectDone(await upload(picture)), expectDone(await upload(picture))];
  expect(second).toEqual(first);
});

test("a damaged, small or too large picture, or no picture, is refused and not stored", async () => {
  const before = await kept();
  const png = await twoColours().png().toBuffer();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="720"><rect width="9" height="9"/></svg>`;

  const noPicture = "This is not a picture. Please choose a PNG, JPEG or WebP file";
  for (const bytes of ["", "hello", svg, "%PDF-1.7 \n"])
    expect(failureOf(await upload(bytes))).toEqual([415, noPicture]);
  expect(failureOf(await upload(png.subarray(0, png.length / 2)))).toEqual([
    422,
    "The picture cannot be read. Please save it again, or choose another one",
  ]);
  expect(failureOf(await upload(await transparentPicture()))).toEqual([
    422,
    "The picture has 300 × 200 pixels. Please choose one with at least 480 × 360",
  ]);
  const narrow = await sharp({ create: { width: 479, height: 900, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  expect(failureOf(await upload(narrow))[0]).toBe(422);
  expect(failureOf(await upload(Buffer.concat([png, Buffer.alloc(16 * 1024 * 1024)])))[0]).toBe(413);
  expect(await kept()).toEqual(before);
});

test("a picture of impossible dimensions is refused, however small its file", async () => {
  const bomb = blackPng(16_000);
  expect(await sharp(bomb).metadata()).toMatchObject({ format: "png", width: 16_000, height: 16_000 });
  expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
  // Decoded, it would be a photo like any other.
  expect((await upload(bomb)).status).toBe(422);
});

test("no name can leave the folder or point to a missing photo", async () => {
  expectDone(await upload(await sidewaysPhoto()));
  const folder = join(store.dataDir, "shop-images");
  for (const path of ["../outside.webp", "other.webp"]) await writeFile(join(folder, path), "not a photo");
  for (const name of [
    "..%2foutside.webp",
    "%2e%2e%2foutside.webp",
    "other.webp",
    "x.webp",
    `${"0".repeat(32)}.webp`,
  ]) {
    const { status, headers } = await fetchPhoto(`/shop-photos/${name}`);
    // The photo of that name may still come, from another server.
    expect([name, status, headers.get("cache-control")]).toEqual([name, 404, "no-store"]);
  }
});

test("files a killed server left half-written are deleted after a day", async () => {
  const { path } = expectDone(await upload(await twoColours().flop().png().toBuffer()));
  const hash = path.replace(/.*\/|\.webp/g, "");
  const folder = join(store.dataDir, "shop-images");
  await rm(join(folder, `${hash}.webp`));
  await writeFile(join(folder, `${hash}.webp.0f5c2a1e.part`), "half a pho");
  const left = async () => (await kept()).filter((name) => name.startsWith(hash)).length;

  await deleteUnusedShopPhotos(store.deps);
  expect(await left()).toBe(2);
  store.clock.advance({ hours: 25 });
  await deleteUnusedShopPhotos(store.deps);

  expect(await left()).toBe(0);
});

test("a photo that is chosen again is kept for another day", async () => {
  const picture = await twoColours().rotate(180).png().toBuffer();
  const { path } = expectDone(await upload(picture));
  store.clock.advance({ hours: 23 });
  await logInAgain(owner);
  expectDone(await upload(picture));
  store.clock.advance({ hours: 23 });
  await deleteUnusedShopPhotos(store.deps);
  expect((await fetchPhoto(path)).status).toBe(200);
  expect((await fetchPhoto(path.replace(".webp", "-480.webp"))).status).toBe(200);
  store.clock.advance({ hours: 2 });
  await deleteUnusedShopPhotos(store.deps);
  expect((await fetchPhoto(path)).status).toBe(404);
});

test("a photo that was deleted before its shop was saved is refused, unless the shop has it already", async () => {
  const picture = await twoColours().flip().png().toBuffer();
  const { path: shopImage } = expectDone(await upload(picture));
  const { version, ...shop } = expectDone(await owner.visitor.query("shops.admin.byId", { shopId }));
  const save = () => owner.visitor.mutate("shops.admin.update", { ...shop, shopId, version, shopImage });
  store.clock.advance({ hours: 25 });
  await logInAgain(owner);
  await deleteUnusedShopPhotos(store.deps);

  const message = "This picture is no longer in the store. Please choose it again";
  const refused = await save();
  expect(failureOf(refused)).toEqual([422, message]);
  expect(refused.body.error.data.issues).toEqual([{ path: "shopImage", message }]);
  const admin = (await signedInAdmin(store)).visitor;
  const fresh = { ...newShop(), shopImage };
  expect(failureOf(await admin.mutate("shops.admin.create", fresh))).toEqual([422, message]);
  const { file } = expectDone(await admin.query("seeding.export"));
  const exported = file.shops.find(({ id }: { id: string }) => id === shopId);
  exported.shopImage = shopImage;
  for (const call of ["seeding.preview", "seeding.write"])
    expect(failureOf(await admin.mutate(call, { file, base: {} }))).toEqual([
      409,
      `The picture of ${exported.shopName} in this file is not in this store. Name one of its drawings in the file, and upload the photo afterwards`,
    ]);

  expectDone(await upload(picture));
  expectDone(await save());
  // What a shop has already stays allowed.
  await rm(join(store.dataDir, "shop-images"), { recursive: true });
  expectDone(
    await owner.visitor.mutate("shops.admin.update", { ...shop, shopId, version: version + 1, shopImage }),
  );
  const own = expectDone(await admin.query("seeding.export"));
  expectDone(await admin.mutate("seeding.preview", { file: own.file }));
});

test("a photo that no shop uses is deleted after a day, one in use is kept", async () => {
  const used = expectDone(await upload(await twoColours().rotate(90).png().toBuffer()));
  const unused = expectDone(await upload(await twoColours().negate().png().toBuffer()));
  const { version, ...shop } = expectDone(await owner.visitor.query("shops.admin.byId", { shopId }));
  expectDone(
    await owner.visitor.mutate("shops.admin.update", { ...shop, shopId, version, shopImage: used.path }),
  );

  store.clock.advance({ hours: 24, ms: -1 });
  await deleteUnusedShopPhotos(store.deps);
  expect((await fetchPhoto(unused.path)).status).toBe(200);
  store.clock.advance({ seconds: 1 });
  await deleteUnusedShopPhotos(store.deps);

  expect((await fetchPhoto(unused.path)).status).toBe(404);
  expect((await fetchPhoto(used.path)).status).toBe(200);
  const list = (await store.visitor().get("/api/v1/prints/shopslocation")).body.data;
  expect(list.find(({ _id }: { _id: string }) => _id === shopId).shopImage).toBe(used.path);
});

test("a file that goes while the photos are looked through keeps none from being deleted", async () => {
  const { path } = expectDone(await upload(await twoColours().rotate(45).png().toBuffer()));
  // Listed, and gone when it is looked at: an upload renames its half-written files.
  await symlink("gone", join(store.dataDir, "shop-images", "renamed.part"));
  store.clock.advance({ hours: 25 });
  await deleteUnusedShopPhotos(store.deps);
  expect((await fetchPhoto(path)).status).toBe(404);
});

test("a shared photo that cannot be deleted keeps no other, and is tried again", async () => {
  const before = new Date(store.clock.now().getTime() + 1);
  for (const name of ["one", "two", "three"])
    await sharePhoto(store.deps, `/shop-photos/${name}`, Buffer.from(name));
  const keys = async () => {
    const photos = await store.deps.db.selectFrom("shop_photos").select("storage_key").execute();
    return photos.map(({ storage_key }) => storage_key);
  };
  const [stuck = ""] = (await keys()).sort();
  const release = await makeUnremovable(store, stuck);
  await expect(deleteUnusedSharedPhotos(store.deps, before)).rejects.toThrow("EISDIR");
  expect(await keys()).toEqual([stuck]);
  await release();
  await deleteUnusedSharedPhotos(store.deps, before);
  expect(await keys()).toEqual([]);
});
