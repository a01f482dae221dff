import { once } from "node:events";
import { get } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { signFileUrl } from "#server/files/file-links.ts";
import { HOUR_MS } from "#shared/durations.ts";
import { indianTime } from "#shared/indian-time.ts";
import { withParts } from "../factories/mails.ts";
import { ACTIVE_PARTS, activePdf, MARKER } from "../factories/pdfs.active.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { shopIds, signedInOwner } from "../factories/staff.ts";
import { openFilesOf } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readPages, readPdfParts } from "../setup/pdf-reader.ts";
import { testStore } from "../setup/test-store.ts";
import { placeFiles } from "./packs.fixtures.ts";

const content = plainPdf(3);

const store = testStore();
let owner: ApiClient;
let id: string;
let path: string;
beforeAll(async () => {
  owner = (await signedInStudent(store)).visitor;
  id = await upload();
  path = `/files/${id}`;
});

async function upload(): Promise<string> {
  return (await owner.upload(new Uint8Array(content), "Übung – ₹ 5.pdf")).body.public_id;
}

const ACTIVE = activePdf(ACTIVE_PARTS["scripts of a page"] ?? {});

/** An order of a PDF with active content. */
async function placeActive() {
  const [shopId] = await shopIds(store);
  const order = await placeFiles(store, shopId, [{ name: "Active.pdf", bytes: ACTIVE }]);
  return { ...order, fileId: order.fileIds[0] ?? "" };
}

async function bytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

function linkFor(fileId: string, hours: number): string {
  const url = new URL(
    signFileUrl(store.deps, fileId, new Date(store.clock.now().getTime() + hours * HOUR_MS)),
  );
  return url.pathname + url.search;
}

describe("GET /files/:id", () => {
  test.each([
    ["a fault of ours", () => new Error("the disk is broken"), 500, "Something went wrong"],
    [
      "a database that is away",
      () => Object.assign(new Error("away"), { code: "SQLITE_BUSY" }),
      503,
      "The store cannot answer at the moment. Please try again shortly",
    ],
  ])("says in plain text that it cannot be read because of %s", async (_why, fault, status, text) => {
    const { files } = store.deps;
    store.deps.files = {
      ...files,
      read: () => {
        throw fault();
      },
    };
    try {
      const response = await owner.fetch(path);
      expect([response.status, await response.text()]).toEqual([status, text]);
      expect(response.headers.get("content-type")).toContain("text/plain");
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    } finally {
      store.deps.files = files;
    }
  });

  test("sends the file to its owner as a download that no browser displays or runs", async () => {
    const response = await owner.fetch(path, { headers: { Origin: "https://evil.example" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(content.length),
      "content-disposition":
        "attachment; filename=\"?bung ? ? 5.pdf\"; filename*=UTF-8''%C3%9Cbung%20%E2%80%93%20%E2%82%B9%205.pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "cache-control": "private, no-store",
      "accept-ranges": "bytes",
    });
    expect((await bytes(response)).equals(content)).toBe(true);
  });

  test("answers HEAD with the same headers and no body", async () => {
    const response = await owner.fetch(path, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(content.length)]);
    expect(await bytes(response)).toHaveLength(0);
  });

  test.each([
    ["bytes=0-99", 206, 0, 100],
    ["bytes=100-", 206, 100, content.length],
    ["bytes=-50", 206, content.length - 50, content.length],
    ["bytes=5-999999999", 206, 5, content.length],
    ["bytes=0-9,20-29", 200, 0, content.length],
    ["pages=1-2", 200, 0, content.length],
    ["nonsense", 200, 0, content.length],
  ])("answers the range %s with %i", async (range, status, start, end) => {
    const response = await owner.fetch(path, { headers: { Range: range } });
    expect(response.status).toBe(status);
    expect((await bytes(response)).equals(content.subarray(start, end))).toBe(true);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; /);
    const expected = status === 206 ? `bytes ${start}-${end - 1}/${content.length}` : null;
    expect(response.headers.get("content-range")).toBe(expected);
  });

  test("answers a range beyond the end with 416 and the true length", async () => {
    const response = await owner.fetch(path, { headers: { Range: `bytes=${content.length}-` } });
    expect([response.status, response.headers.get("content-range")]).toEqual([
      416,
      `bytes */${content.length}`,
    ]);
    expect(await bytes(response)).toHaveLength(0);
  });

  test("resumes an interrupted download only of the same file", async () => {
    const etag = (await owner.fetch(path, { method: "HEAD" })).headers.get("etag") ?? "";
    const statuses = [etag, '"another"'].map(async (condition) => {
      const response = await owner.fetch(path, { headers: { Range: "bytes=10-", "If-Range": condition } });
      return response.status;
    });
    expect(await Promise.all(statuses)).toEqual([206, 200]);
  });

  test("answers 404 to everyone else, as for an unknown file", async () => {
    const { visitor: other } = await signedInStudent(store);
    for (const visitor of [other, store.visitor()]) {
      for (const where of [path, "/files/never-was", `${path}?exp=9999999999&sig=forged`]) {
        const answer = await visitor.get(where);
        expect([answer.status, answer.body]).toEqual([404, "There is no such file"]);
        expect(answer.headers.get("cache-control")).toBe("private, no-store");
      }
    }
  });

  test("works with a signed link until it expires", async () => {
    const guest = store.visitor();
    const order = await placeActive();
    const link = linkFor(order.fileId, 24);
    expect((await guest.fetch(link)).status).toBe(200);
    expect((await guest.fetch(link.replace(order.fileId, "never-was"))).status).toBe(404);
    expect((await guest.fetch(link.replace(/sig=./, "sig="))).status).toBe(404);
    const expired = await guest.get(linkFor(order.fileId, -1));
    expect([expired.status, expired.body]).toEqual([404, "This link has expired"]);
    expect((await guest.fetch(linkFor(id, 24))).status).toBe(404);
  });

  test("the link in the shop's mail works for 7 days", async () => {
    const order = await placeActive();
    const [mail] = await store.deps.readDb
      .selectFrom("outbox")
      .selectAll()
      .where("kind", "=", "order-shop")
      .where("subject", "like", `%${order.number}%`)
      .execute();
    const text = mail ? withParts(mail).text : "";
    const link = /\/files\/[\w-]+\?exp=\d+&sig=[\w-]+/.exec(text)?.[0] ?? "";
    expect(link).toContain(order.fileId);
    const placedAt = store.clock.now();
    const end = new Date(placedAt.getTime() + 7 * 24 * HOUR_MS).toISOString();
    expect(text).toContain(`until ${indianTime(end)}`);
    store.clock.advance({ days: 7, seconds: -1 });
    expect((await store.visitor().get(link)).status).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect((await store.visitor().get(link)).body).toBe("This link has expired");
    store.clock.set(placedAt);
  });

  test("sends shops and link holders a print copy of the ordered pages, never the original", async () => {
    const order = await placeActive();
    const [shopId] = await shopIds(store);
    const { visitor: staff } = await signedInOwner(store, [shopId]);
    const packOf = `/admin/orders/${order.id}/pack.pdf`;
    const paths: [ApiClient, string, number][] = [
      [staff, `/files/${order.fileId}`, 1],
      [store.visitor(), linkFor(order.fileId, 24), 1],
      [staff, packOf, 2],
    ];
    for (const [visitor, where, pages] of paths) {
      const response = await visitor.fetch(where);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "application/pdf",
        "content-disposition": expect.stringMatching(/^attachment; /),
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
        "cache-control": "private, no-store",
      });
      const copy = await bytes(response);
      expect((await readPdfParts(copy)).bytes.includes(MARKER)).toBe(false);
      expect((await readPages(copy)).slice(pages - 1)).toEqual(["Visible text"]);
      const head = await visitor.fetch(where, { method: "HEAD" });
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    }
    const own = await bytes(await order.visitor.fetch(`/files/${order.fileId}`));
    expect(own.equals(ACTIVE)).toBe(true);
  });

  test("says so if no page of the file was ordered", async () => {
    const order = await placeFiles(
      store,
      (await shopIds(store))[0],
      [
        { name: "First.pdf", bytes: plainPdf(3) },
        { name: "Second.pdf", bytes: plainPdf(4) },
      ],
      { noOfPages: 3 },
    );
    const answer = await store.visitor().get(linkFor(order.fileIds[1] ?? "", 24));
    expect([answer.status, answer.body]).toEqual([404, "No page of this file is printed"]);
  });

  test("tells owner and link holder that a file has been deleted", async () => {
    const deleted = await upload();
    const link = linkFor(deleted, 24);
    expect((await owner.mutate("files.remove", { id: deleted })).status).toBe(200);
    for (const answer of [await owner.get(`/files/${deleted}`), await store.visitor().get(link)]) {
      expect([answer.status, answer.body]).toEqual([404, "This file has been deleted"]);
    }
  });

  test("closes the file when the reader disconnects", async () => {
    const large = await owner.upload(new Uint8Array(Buffer.concat([content, Buffer.alloc(20_000_000)])));
    const url = large.body.secure_url;
    await new Promise<void>((resolve) => {
      const request = get(url, { headers: { Cookie: owner.cookieHeader } }, (response) => {
        response.once("data", () => request.destroy());
        response.once("close", resolve);
        response.on("error", () => {});
      });
    });
    // The colour check also opens the file, for a few seconds at most.
    await expect.poll(() => openFilesOf(store)).toEqual([]);
  });

  // Only Linux tells which files are open.
  test.skipIf(process.platform !== "linux")(
    "sends 120 files at once to a reader who does not read them; one more ends the oldest",
    async () => {
      const large = await owner.upload(new Uint8Array(Buffer.concat([content, Buffer.alloc(20_000_000)])));
      const { secure_url: url, public_id: id } = large.body;
      const { readDb } = store.deps;
      const checked = () =>
        readDb
          .selectFrom("files")
          .select("colour_checked_pages as pages")
          .where("id", "=", id)
          .executeTakeFirst();
      // It opens the file too.
      await expect.poll(checked, { timeout: 120_000 }).not.toEqual({ pages: null });
      await owner.fetch(url, { method: "HEAD" });
      const left = (await openFilesOf(store)).filter((open) => open.endsWith(id));
      expect(left, "asked for by HEAD, it is not left open").toEqual([]);
      const requests = Array.from({ length: 125 }, () =>
        get(url, { headers: { Cookie: owner.cookieHeader }, agent: false }).on("error", () => {}),
      );
      const answers = await Promise.all(requests.map((request) => once(request, "response")));
      await expect.poll(async () => (await openFilesOf(store)).length).toBe(120);
      expect(await (await owner.fetch(`/files/${id}`)).bytes()).toHaveLength(large.body.bytes);
      expect(answers.every(([{ statusCode }]) => statusCode === 200)).toBe(true);
      for (const request of requests) request.destroy();
      await expect.poll(() => openFilesOf(store)).toEqual([]);
    },
  );
});
