import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { median, quantile } from "../bench/results.ts";
import { COLOUR_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { linearizedPdf, pdfOfPages, plainPdf, resavedPdf } from "../factories/pdfs.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { residentMegabytes, type SpawnedServer, spawnServer } from "../setup/spawned-server.ts";
import { type RawAnswer, RawClient, type RawRequest, type Send, sendAs } from "./raw-client.ts";
import { addTallies, type ResponseCheck, type Tally, tallyRequests } from "./tally.ts";

/** Five seconds to count, five to copy, and the wait for one other document. */
const LIMIT_MS = 20_000;

/**
 * Uploads mutated PDFs one after another: each must be counted or refused with a reason, in time. The form of a failing one
 * is saved in the temporary folder.
 */
export async function fuzzFiles(
  send: Send,
  { seed, files }: { seed: number; files: number },
): Promise<Tally> {
  const requests = mutatedPdfs(await validPdfs()).map(uploadOf);
  let failed: RawRequest | undefined;
  const judge: ResponseCheck = (answer, request) => {
    const fault = uploadFault(answer);
    if (fault) failed = request;
    return fault;
  };
  const tally = await tallyRequests(
    { name: "mutated PDFs", requests, send, judge },
    { seed, requests: files },
  );
  if (failed?.body) await writeFile(join(tmpdir(), `failed-upload-${seed}.form`), failed.body);
  return tally;
}

function uploadOf(pdf: Buffer): RawRequest {
  const head = '--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n';
  return {
    method: "POST",
    path: "/api/v1/uploads",
    headers: { "Content-Type": "multipart/form-data; boundary=line" },
    body: Buffer.concat([Buffer.from(head), pdf, Buffer.from("\r\n--line--\r\n")]),
  };
}

function uploadFault({ status, text, ms }: RawAnswer): string | null {
  if (ms > LIMIT_MS) return `took ${Math.round(ms)} ms`;
  const { pages, message } = JSON.parse(text);
  if (status === 200) return Number.isInteger(pages) && pages > 0 ? null : `counted ${pages} pages`;
  const isRefusal = [413, 415, 422].includes(status) && /^“notes\.pdf” .{20,}/.test(message);
  return isRefusal ? null : `answered ${status}: ${text}`;
}

/** Valid PDFs of several producers, and those in the folder PDF_CORPUS if set. */
async function validPdfs(): Promise<Uint8Array[]> {
  const made = await Promise.all([
    plainPdf(3),
    pdfOfPages(4),
    linearizedPdf(3),
    resavedPdf(3, 5),
    numberedPdf("Thesis", 4, { each: 300, shared: 900 }),
    encryptedPdf(2, "AES-128", { owner: "o" }),
    pdfOf([COLOUR_PAGES["one blue word"], COLOUR_PAGES["a pale green cell"]]),
  ]);
  return [...made, ...(await corpus(process.env.PDF_CORPUS))];
}

async function corpus(folder: string | undefined): Promise<Uint8Array[]> {
  if (!folder) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

/** A change of a file's bytes. Positions are shares of its length. */
type Mutation = (bytes: Buffer, other: Buffer) => Buffer;

/** Uniform: fast-check's numbers prefer small ones. */
const share = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000);
const ODD_NUMBERS = ["0", "-1", "1", "65536", "2147483647", "4294967296", "99999999999999999999", "1e9", "."];

const flips = fc.array(fc.tuple(share, fc.nat(255)), { minLength: 1, maxLength: 30 }).map(
  (list): Mutation =>
    (bytes) => {
      const flipped = Buffer.from(bytes);
      for (const [at, byte] of list) flipped[Math.floor(at * bytes.length)] = byte;
      return flipped;
    },
);

const truncations = share.map(
  (keep): Mutation =>
    (bytes) =>
      bytes.subarray(0, Math.ceil(keep * bytes.length)),
);

const splices = fc.tuple(share, share).map(
  ([head, tail]): Mutation =>
    (bytes, other) =>
      Buffer.concat([
        bytes.subarray(0, Math.floor(head * bytes.length)),
        other.subarray(Math.floor(tail * other.length)),
      ]),
);

const OBJECT = /\d+ \d+ obj\b[\s\S]*?endobj/g;
const swappedObjects = fc.tuple(share, share).map(
  ([one, other]): Mutation =>
    (bytes) => {
      const text = bytes.toString("latin1");
      const objects = [...text.matchAll(OBJECT)].map(([object]) => object.replace(/^\d+ \d+ obj/, ""));
      if (objects.length === 0) return bytes;
      const [from, to] = [one, other].map((at) => Math.floor(at * objects.length));
      let index = 0;
      const swapped = text.replaceAll(OBJECT, (object) => {
        const here = index++;
        const body = here === from ? objects[to ?? 0] : here === to ? objects[from ?? 0] : undefined;
        return body === undefined ? object : (/^\d+ \d+ obj/.exec(object)?.[0] ?? "") + body;
      });
      return Buffer.from(swapped, "latin1");
    },
);

const wrongNumbers = fc
  .array(fc.tuple(share, fc.constantFrom(...ODD_NUMBERS)), { minLength: 1, maxLength: 4 })
  .map(
    (list): Mutation =>
      (bytes) =>
        list.reduce((current, [at, number]) => {
          const text = current.toString("latin1");
          const numbers = [...text.matchAll(/(?<=[\s[/])\d{1,10}(?=[\s\]/>])/g)];
          const found = numbers[Math.floor(at * numbers.length)];
          if (!found) return current;
          return Buffer.from(
            text.slice(0, found.index) + number + text.slice(found.index + found[0].length),
            "latin1",
          );
        }, bytes),
  );

const wipes = fc.tuple(share, fc.integer({ min: 1, max: 400 }), fc.nat(255)).map(
  ([at, length, byte]): Mutation =>
    (bytes) => {
      const wiped = Buffer.from(bytes);
      const from = Math.floor(at * bytes.length);
      return wiped.fill(byte, from, Math.min(from + length, bytes.length));
    },
);

/** Valid PDFs with one to three mutations each. */
function mutatedPdfs(sources: Uint8Array[]): fc.Arbitrary<Buffer> {
  const source = fc.constantFrom(...sources.map((bytes) => Buffer.from(bytes)));
  const mutations = fc.oneof(
    flips,
    flips,
    truncations,
    splices,
    swappedObjects,
    wrongNumbers,
    wrongNumbers,
    wipes,
  );
  return fc
    .record({ source, other: source, list: fc.array(mutations, { minLength: 1, maxLength: 3 }) })
    .map(({ source, other, list }) => list.reduce<Buffer>((bytes, mutate) => mutate(bytes, other), source));
}

const ADMIN = { email: "fuzz@print-store.example", password: "flip splice truncate swap" };
/** Students who upload at the same time. */
const STREAMS = 2;
const WARM_UPS = 30;
const PAUSE_MS = 10;
const CALM_MS = 10_000;
/** Longer than idle workers take to exit and free their memory. */
const REST_MS = 45_000;

/** Uploads mutated PDFs to a server process of its own, and prints what it does to other calls and to its memory. */
export async function fuzzFilesOnOwnServer({ seed, files }: { seed: number; files: number }): Promise<Tally> {
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  const server = await spawnServer(dataDir, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const client = new RawClient(server.url);
  try {
    const visitor = server.visitor();
    const { status } = await visitor.post("/api/v1/users/login", ADMIN);
    if (status !== 200) throw new Error(`The admin could not log in: ${status}`);
    const sendAsAdmin = sendAs(client, visitor, { ...ADMIN, fullName: "", phone: "" });
    // The first upload loads modules that stay in memory.
    await fuzzFiles(sendAsAdmin, { seed: seed - 1, files: WARM_UPS });
    await wait(REST_MS);
    await report("before", server, visitor, wait(CALM_MS));
    const streams = Array.from({ length: STREAMS }, (_, index) =>
      fuzzFiles(sendAsAdmin, { seed: seed + index, files: Math.ceil(files / STREAMS) }),
    );
    await report("meanwhile", server, visitor, Promise.all(streams));
    await wait(REST_MS);
    await report("afterwards", server, visitor, wait(CALM_MS));
    const [tally] = addTallies(await Promise.all(streams));
    if (!tally) throw new Error("Nothing was uploaded");
    const errors = server.lines.filter(
      (line) => line.includes('"level":"error"') || line.includes('"level":50'),
    );
    console.log(`${errors.length} errors in the server's log`, ...errors.slice(0, 3));
    return tally;
  } finally {
    client.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Calls the shop list while `during` runs, and prints the response times and the server's memory. */
async function report(
  when: string,
  server: SpawnedServer,
  visitor: ApiClient,
  during: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const startedAt = performance.now();
    const { status } = await visitor.get("/api/v1/prints/shopslocation");
    if (status !== 200) throw new Error(`The list of shops answered ${status}`);
    times.push(performance.now() - startedAt);
    await wait(PAUSE_MS);
  }
  await over;
  const [middle, late] = [median(times), quantile(times, 0.99)].map((ms) => ms.toFixed(1));
  const calls = `${times.length} calls of shopslocation, p50 ${middle} ms, p99 ${late} ms`;
  const { now, peak } = await residentMegabytes(server.child.pid);
  console.log(`${when}: ${calls}; memory ${Math.round(now)} MB, at most ${Math.round(peak)} MB`);
}
