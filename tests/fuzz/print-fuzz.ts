import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import {
  countPages,
  countPrintedOfEach,
  firstPages,
  type PageRanges,
  readPageRanges,
} from "#shared/print-pages.ts";
import { orderFor, seenByStaff } from "../factories/orders.ts";
import { MARKER } from "../factories/pdfs.active.ts";
import { shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { difference, drawPages, readPages, readPdfParts } from "../setup/pdf-reader.ts";
import type { TestStore } from "../setup/test-store.ts";
import { type HostilePdf, hostilePdfs } from "./hostile-pdfs.ts";
import { countAnswer, startTally, type Tally } from "./tally.ts";

const WRONG_RANGES = [
  "0",
  "-0",
  "5-2",
  "1-99999",
  "1,,2",
  "२-३",
  "1-2; drop table orders",
  "-",
  "1e3",
  "9999999999",
  "1 - ",
];
const NAME_PIECES = [
  "thesis",
  "notes",
  ".hta",
  ".pdf",
  ".lnk",
  ".",
  " ",
  "\u202e",
  "\u0000",
  "\u200d",
  "\r\n",
  '"',
  "'",
  "/",
  "..",
  "\\",
  "%",
  "CON",
  "क्ष",
  "🚀",
  "\ud800",
  "<b>",
  "x".repeat(300),
];
const WRONG_COUNTS = [0, -1, 1.5, 1_000_000, Number.MAX_SAFE_INTEGER];
/** Characters that a file name must not contain on a screen or a disk. */
const NO_NAME = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff<>:"|?*/\\]/u;
const NO_CATALOG_KEYS = ["OpenAction", "AA", "Names", "AcroForm", "Outlines", "Metadata"];
const NO_KEYS = [
  "OpenAction",
  "Annots",
  "AcroForm",
  "Names",
  "XFA",
  "EmbeddedFiles",
  "EF",
  "AF",
  "UF",
  "Launch",
  "URI",
  "OPI",
  "Ref",
];
/** A file of so many bytes is copied in three portions or more. */
const LARGE_BYTES = 50 * 1024 * 1024;
/** The largest share of differing pixels between a printed page and its original. */
const MOST_DIFFERENT = 0.01;

interface Wish {
  files: { source: HostilePdf; name: string; pages: string }[];
  /** The share of the pages to choose, or a wrong count. */
  part: number | { wrong: number };
  copies: number;
}

interface Uploaded {
  source: HostilePdf;
  id: string;
  url: string;
  pages: string;
  ranges: PageRanges | null;
}

const wishes: fc.Arbitrary<Wish> = fc.record({
  files: fc.array(
    fc.record({
      source: hostilePdfs,
      name: fc.array(fc.constantFrom(...NAME_PIECES), { maxLength: 6 }).map((pieces) => pieces.join("")),
      pages: fc.oneof(
        { weight: 3, arbitrary: fc.constant("") },
        { weight: 2, arbitrary: fc.constantFrom("1", "1-", "-2", "2, 1", "1-1000") },
        fc.constantFrom(...WRONG_RANGES),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  part: fc.oneof(
    { weight: 5, arbitrary: fc.noBias(fc.nat(99)).map((hundredths) => hundredths / 100) },
    fc.constantFrom(...WRONG_COUNTS).map((wrong) => ({ wrong })),
  ),
  copies: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) },
    fc.constantFrom(...WRONG_COUNTS),
  ),
});

/**
 * Uploads hostile PDFs, orders pages of them and prints them on both sides. The store must never fail or leave anything half
 * done, and what is printed must be what was billed, look like the original and contain nothing active.
 */
export async function fuzzPrints(
  store: TestStore,
  { seed, prints }: { seed: number; prints: number },
): Promise<Tally[]> {
  const { visitor: staff } = await signedInAdmin(store);
  const { id: shopId } = await shownShop(staff);
  const tally = startTally("prints");
  const note = (what: string, { status }: { status: number }) => {
    countAnswer(tally, `${what} ${status}`);
    assert.ok(status < 500, `${what} answered ${status}`);
  };
  const property = fc.asyncProperty(wishes, async (wish) => {
    const { visitor, student } = await signedInStudent(store);
    const startedAt = performance.now();
    const uploaded: Uploaded[] = [];
    for (const file of wish.files) {
      const answer = await visitor.upload(new Uint8Array(file.source.pdf), file.name);
      note("upload", answer);
      if (answer.status === 200) uploaded.push(readUpload(file, answer));
    }
    await checkFolders(store, { files: uploaded.length, email: student.email });
    if (uploaded.length > 0) {
      const order = await placeOrder(visitor, { shopId, wish, uploaded });
      note("order", order);
      await checkRecords(store, { orders: order.status === 200 ? 1 : 0, email: student.email });
      if (order.status === 200) {
        await pretendLarge(store, uploaded);
        note("pack", await checkPrint(staff, { id: order.body.data._id, uploaded }));
      }
    }
    tally.requests++;
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt);
  });
  const details = await fc.check(property, { seed, numRuns: prints });
  if (details.failed) tally.failure = describe(details);
  return [tally];
}

function readUpload({ source, pages }: Wish["files"][number], { body }: ApiAnswer): Uploaded {
  assert.ok(Number.isInteger(body.pages) && body.pages > 0 && body.pages <= 5000, `counted ${body.pages}`);
  const name: string = body.original_filename;
  assert.ok(/\.pdf$/.test(name) && !NO_NAME.test(name) && name.isWellFormed(), JSON.stringify(name));
  const reading = readPageRanges(pages, body.pages);
  return {
    source,
    id: body.public_id,
    url: body.secure_url,
    pages,
    ranges: reading.ok ? reading.ranges : null,
  };
}

interface Placing {
  shopId: string;
  wish: Wish;
  uploaded: Uploaded[];
}

/** The response, which must be a refusal if anything in the order is wrong. */
async function placeOrder(visitor: ApiClient, { shopId, wish, uploaded }: Placing): Promise<ApiAnswer> {
  const files = uploaded.map(({ ranges }) => ({
    pages: countPages(ranges ?? []),
    pageRanges: null,
  }));
  const chosen = files.reduce((sum, { pages }) => sum + pages, 0);
  const { part, copies } = wish;
  const noOfPages = typeof part === "number" ? 1 + Math.floor(part * Math.max(0, chosen - 1)) : part.wrong;
  const sound = (count: number) => (Number.isInteger(count) && count > 0 && count < 10_000 ? count : 1);
  const request = await orderFor(visitor, {
    shopId,
    pages: sound(noOfPages),
    pagesOfEach: countPrintedOfEach(firstPages(files, sound(noOfPages))),
    copies: sound(copies),
    filesUrl: uploaded.map(({ url }) => url),
  });
  const pageRanges = uploaded.flatMap(({ id, pages }) => (pages ? [{ public_id: id, pages }] : []));
  const orderData = { ...request.orderData, noOfPages, noOfCopies: copies, pageRanges };
  const answer = await visitor.post("/api/v1/prints/printorder", { ...request, orderData });
  const isSound =
    uploaded.every(({ ranges }) => ranges) &&
    sound(noOfPages) === noOfPages &&
    sound(copies) === copies &&
    noOfPages <= chosen;
  assert.equal(answer.status === 200, isSound, `an order answered ${answer.status}: ${answer.body.message}`);
  return answer;
}

/** The pack of an order, or why there is none. */
async function checkPrint(
  staff: ApiClient,
  { id, uploaded }: { id: string; uploaded: Uploaded[] },
): Promise<{ status: number }> {
  const { pages: billed, number } = await seenByStaff(staff, id);
  const response = await staff.fetch(`/admin/orders/${id}/pack.pdf?sizes=own`);
  const pack = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) return response;
  const printed = await readPages(pack);
  const fitted = await staff.fetch(`/admin/orders/${id}/pack.pdf`);
  assert.equal(fitted.status, 200, "pages could not be fitted to the paper");
  const fittedPages = await readPages(new Uint8Array(await fitted.arrayBuffer()));
  assert.equal(fittedPages.length, printed.length, "fitting changed the number of pages");
  const tickets = printed.filter((text) => text.includes(number)).length;
  const parts = await readPdfParts(pack);
  assert.ok(!parts.bytes.includes(MARKER), "something of what acts is left");
  assert.deepEqual(
    parts.catalogKeys.filter((key) => NO_CATALOG_KEYS.includes(key)),
    [],
  );
  assert.deepEqual(
    NO_KEYS.filter((key) => parts.keys.has(key)),
    [],
  );
  const looks = await drawPages(pack);
  let at = tickets;
  let blanks = 0;
  for (const { source, ranges } of uploaded) {
    const { pdf, isDamaged } = source;
    // Each file begins on a fresh sheet.
    if (at % 2 === 1 && at < printed.length) {
      assert.ok(
        looks[at]?.pixels.every((value) => value === 255),
        "something is on a back that stays blank",
      );
      blanks++;
      at++;
    }
    const [texts, pictures] = [await readPages(pdf), await drawPages(pdf)];
    for (const { first, last } of ranges ?? []) {
      for (let page = first - 1; page < last && at < printed.length; page++, at++) {
        // A page with hidden layers is printed as a picture, without text.
        assert.ok(printed[at] === texts[page] || printed[at] === "", "another page was printed");
        const [look, original] = [looks[at], pictures[page]];
        assert.ok(
          isDamaged || (look && original && difference(original, look) < MOST_DIFFERENT),
          `page ${page + 1} looks otherwise`,
        );
      }
    }
  }
  assert.deepEqual(
    [at, printed.length - tickets - blanks],
    [printed.length, billed],
    "pages were printed that were not billed, or the other way round",
  );
  return response;
}

/** Has the next copies of these files made in portions, as those of large ones are. */
async function pretendLarge({ deps }: TestStore, files: Uploaded[]): Promise<void> {
  const ids = files.map(({ id }) => id);
  await deps.db.updateTable("files").set({ bytes: LARGE_BYTES }).where("id", "in", ids).execute();
}

/** Nothing is left of a refused upload. */
async function checkFolders(
  { dataDir, deps }: TestStore,
  wanted: { files: number; email: string },
): Promise<void> {
  const incoming = await readdir(join(dataDir, "files", "incoming"));
  assert.deepEqual(incoming, []);
  const rows = await deps.readDb
    .selectFrom("files")
    .innerJoin("users", "users.id", "files.owner_id")
    .select("files.id")
    .where("users.email", "=", wanted.email)
    .execute();
  assert.equal(rows.length, wanted.files);
}

/** An order exists with its lines and events, or not at all. */
async function checkRecords(
  { deps }: TestStore,
  { orders, email }: { orders: number; email: string },
): Promise<void> {
  const rows = await deps.readDb.selectFrom("orders").select("id").where("user_email", "=", email).execute();
  assert.equal(rows.length, orders);
  const claimed = await deps.readDb
    .selectFrom("files")
    .innerJoin("users", "users.id", "files.owner_id")
    .select("files.order_id")
    .where("users.email", "=", email)
    .execute();
  assert.ok(claimed.every(({ order_id: orderId }) => (orderId === null) === (orders === 0)));
}

function describe({ counterexample, errorInstance, counterexamplePath }: fc.RunDetails<[Wish]>): string {
  const [wish] = counterexample ?? [];
  const files = wish?.files.map(({ source: { pdf }, name, pages }) => ({
    name,
    pages,
    pdf: pdf.toString("latin1").slice(0, 3000),
  }));
  const error = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  return `${error}\n  to ${JSON.stringify({ ...wish, files })}\n  at ${counterexamplePath}`;
}
