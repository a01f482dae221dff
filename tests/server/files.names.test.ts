import { beforeAll, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { orderFor, seenByStaff, seenByStudent } from "../factories/orders.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { shopIds, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const NAMES = ["thesis.hta", "fee receipt fdp.\u202Eath", "CON", "C:\\fakepath\\notes.pdf.lnk"];
const CLEAN = ["thesis.pdf", "fee receipt fdp.pdf", "_CON.pdf", "notes.pdf"];

const store = testStore();
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInOwner(store, [shopId])).visitor;
});

/** Uploads a page under each of these names and orders them; returns all places that show the names. */
async function orderNamed(names: string[]) {
  const { visitor, student } = await signedInStudent(store);
  const uploads: { public_id: string; secure_url: string }[] = [];
  for (const name of names) uploads.push((await visitor.upload(new Uint8Array(plainPdf(1)), name)).body);
  const filesUrl = uploads.map(({ secure_url }) => secure_url);
  const order = await orderFor(visitor, { shopId, pages: names.length, filesUrl });
  const placed = await visitor.post("/api/v1/prints/printorder", order);
  expect(placed.status).toBe(200);
  const ids = uploads.map(({ public_id }) => public_id);
  const saved = async () => {
    const answers = await Promise.all(ids.map((id) => staff.fetch(`/files/${id}`, { method: "HEAD" })));
    return answers.map(({ headers }) => headers.get("content-disposition") ?? "");
  };
  const read = async () => {
    const orderId = placed.body.data._id;
    const data = await (await visitor.fetch("/my-data")).text();
    const shop = await store.deps.readDb
      .selectFrom("shops")
      .select("email")
      .where("id", "=", shopId)
      .executeTakeFirstOrThrow();
    const mails = [...(await mailsTo(store, student.email)), ...(await mailsTo(store, shop.email))];
    return {
      console: JSON.stringify(await seenByStaff(staff, orderId)),
      order: JSON.stringify(await seenByStudent(visitor, orderId)),
      data,
      mails: mails.map(({ text, html }) => text + html).join(),
      uploads: JSON.stringify(uploads),
    };
  };
  return { ids, saved, read };
}

test("a file has a .pdf name on screens, in mails, in the data export and as a download, whatever name was sent", async () => {
  const { saved, read } = await orderNamed(NAMES);
  expect(await saved()).toEqual(CLEAN.map((name) => expect.stringContaining(name)));
  for (const [place, text] of Object.entries(await read())) {
    expect([place, CLEAN.filter((name) => !text.includes(name))]).toEqual([place, []]);
    expect([place, /thesis\.hta|\.lnk|fakepath|\u202e|\\u202e|“CON”|"CON"/i.exec(text)?.[0]]).toEqual([
      place,
      undefined,
    ]);
  }
});
