import { hash } from "node:crypto";
import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor, seenByStaff, seenByStudent } from "../factories/orders.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { payInFull } from "../factories/payments.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInCounter, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";

/** A student's data in the store: ids, and words that must not be in an answer to somebody else. */
export interface Belongings {
  student: ApiClient;
  /** The owner of the order's shop. */
  staff: ApiClient;
  /** The counter staff of that shop. */
  counter: ApiClient;
  staffId: string;
  /** An invitation to its counter. */
  invitationId: string;
  shopId: string;
  orderId: string;
  /** Another order, with a reported printing error. */
  reportedId: string;
  /** A photo in the report. */
  photoId: string;
  /** A file of the order. */
  fileId: string;
  /** A file that is not ordered. */
  paymentId: string;
  uploadId: string;
  uploadSha256: string;
  addressId: string;
  deviceId: string;
  /** A passkey of the owner of the shop. */
  passkeyId: string;
  mailId: string;
  /** An order for the file that is not ordered, as a request. */
  placing: PlaceOrderRequest;
  words: string[];
}

/** A student with an order at this shop and all other kinds of data. */
export async function createBelongings(store: TestStore, shopId: string): Promise<Belongings> {
  const { visitor, student } = await signedInStudent(store);
  const { visitor: staff } = await signedInOwner(store, [shopId]);
  const { visitor: counter, userId: staffId } = await signedInCounter(store, [shopId]);
  await staff.mutate("staff.invite", { email: "zebra@staff.example", role: "counter", shopIds: [shopId] });
  const invitationId = (await staff.query("staff.list")).body.result.data.invitations[0].id;
  const address = { ...ADDRESS, flatno: "Turret 9" };
  const order = await orderFor(visitor, { shopId });
  order.orderData.message = "Zebra green";
  const placed = await visitor.post("/api/v1/prints/printorder", { ...order, address });
  const orderId = placed.body.data._id;
  await staff.mutate("board.note", { orderId, body: "Zebra note" });
  await payInFull(staff, orderId);
  const { payments } = await seenByStaff(staff, orderId);
  expectDone(await staff.mutate("holds.hold", { orderId, reason: "Zebra page cut off" }));
  const { hold } = await seenByStudent(visitor, orderId);
  expectDone(await staff.mutate("holds.release", { orderId, holdId: hold.id }));
  const reported = await placeAnother(visitor, student, shopId);
  await moveTo(staff, reported.id, "delivered");
  const photo = await sendPhoto(visitor, new Uint8Array(await transparentPicture()));
  const photoId = photo.body.result.data.id;
  const report = { orderId: reported.id, reason: "Zebra smudge", photos: [photoId] };
  await visitor.mutate("reprints.report", report);
  const xylophone = await pdfOfPages(2);
  const upload = await visitor.upload(xylophone, "xylophone.pdf");
  const saved = await visitor.mutate("addresses.add", { address });
  await store.visitor().post("/api/v1/users/login", student, { "User-Agent": IPHONE });
  const devices = (await visitor.query("accounts.devices")).body.result.data;
  const placing = await orderFor(visitor, { shopId, pages: 2, filesUrl: [upload.body.secure_url] });
  const mails = await mailsTo(store, student.email);
  return {
    student: visitor,
    staff,
    counter,
    staffId,
    invitationId,
    shopId,
    orderId,
    paymentId: payments[0].id,
    reportedId: reported.id,
    photoId,
    fileId: order.orderData.filesUrl[0]?.split("/").at(-1) ?? "",
    uploadId: upload.body.public_id,
    uploadSha256: hash("sha256", xylophone),
    addressId: saved.body.result.data.id,
    deviceId: devices[1].id,
    passkeyId: await addPasskey(store, staff),
    mailId: mails[0]?.id ?? "",
    placing,
    words: [
      student.email,
      student.phone,
      placed.body.data.orderNumber,
      reported.number,
      "Zebra",
      "zebra@staff.example",
      "xylophone",
      "Turret 9",
      "iPhone",
    ],
  };
}

async function addPasskey(store: TestStore, visitor: ApiClient): Promise<string> {
  const key = new SoftwareKey();
  const options = expectDone(await visitor.mutate("accounts.startPasskey"));
  const passkey = key.create(options, { origin: store.url });
  expectDone(await visitor.mutate("accounts.addPasskey", { name: "Zebra PC", passkey }));
  return key.id.toString("base64url");
}

/** All rows that contain one of the student's ids or words, or the shop; by table. */
export async function rowsAbout(store: TestStore, mine: Belongings): Promise<Record<string, string[]>> {
  const { student, staff, counter, words, placing, ...ids } = mine;
  const traces = [...Object.values(ids), ...words];
  const { readDb } = store.deps;
  const tables = await readDb.introspection.getTables();
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(readDb);
    const texts = rows.map((row) => JSON.stringify(row));
    found[name] = texts.filter((text) => traces.some((trace) => text.includes(trace))).sort();
  }
  return found;
}

/** Waits until the store's own follow-up work is done: mails are sent and files checked for colour. */
export async function waitUntilIdle({ deps: { readDb } }: TestStore): Promise<void> {
  const left = async () => [
    ...(await readDb.selectFrom("outbox").select("id").where("sent_at", "is", null).execute()),
    ...(await readDb
      .selectFrom("files")
      .select("id")
      .where("colour_checked_pages", "is", null)
      .where("deleted_at", "is", null)
      .execute()),
  ];
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 30_000 });
}
