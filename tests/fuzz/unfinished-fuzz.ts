import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import { SocketClient } from "../setup/socket-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { countAnswer, startTally, type Tally } from "./tally.ts";

/** How long the store may take to clean up after a disconnect. */
const FORGET_MS = 30_000;
const LOOK_MS = 20;
const FORM = "multipart/form-data; boundary=line";
const PDF = plainPdf(2).toString("latin1");

/** The complete requests. */
const REQUESTS = {
  "a login": post(
    "/api/v1/users/login",
    "application/json",
    JSON.stringify({ email: "a@b.example", password: "x" }),
  ),
  "a registration": post("/api/v1/users/register", "application/json", `{"fullName":"${"a".repeat(3000)}"}`),
  "an order": post(
    "/api/v1/prints/printorder",
    "application/json",
    `{"orderData":{"message":"${"m".repeat(20_000)}"}}`,
  ),
  "a call": post("/api/trpc/profile.update", "application/json", '{"fullName":"Nobody"}'),
  "an upload": post(
    "/api/v1/uploads",
    FORM,
    `--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n${PDF}\r\n--line--\r\n`,
  ),
  "a photo": post("/api/trpc/reprints.uploadPhoto", "application/octet-stream", PDF),
  "a chunked body": `${head("POST", "/api/v1/users/login")}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{"email":"`,
  "a live stream": `${head("GET", "/api/trpc/orders.live")}Accept: text/event-stream\r\n\r\n`,
  "a page": `${head("GET", "/")}\r\n`,
} as const;

interface Opening {
  what: keyof typeof REQUESTS;
  /** The share that is sent. */
  part: number;
  /** What is sent after it, if anything. */
  junk: string;
  /** How the connection ends: half closed first, or reset. */
  isPolite: boolean;
}

const openings: fc.Arbitrary<Opening[]> = fc.array(
  fc.record({
    what: fc.constantFrom(...(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])),
    part: fc.oneof(
      fc.constant(1),
      fc.noBias(fc.nat(999)).map((thousandths) => thousandths / 1000),
    ),
    junk: fc.constantFrom("", "", "\r\n\r\n", "GET / HTTP/1.1\r\n", "\u0000", "0\r\n\r\n", "%PDF-1.7"),
    isPolite: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Starts requests and abandons them: nothing of them may stay, and the next request must work. */
export async function fuzzUnfinished(
  store: TestStore,
  { seed, leavings }: { seed: number; leavings: number },
): Promise<Tally[]> {
  const { visitor } = await signedInStudent(store);
  const tally = startTally("requests that were left");
  const property = fc.asyncProperty(openings, async (list) => {
    const startedAt = performance.now();
    const clients = await Promise.all(
      list.map(async ({ what, part, junk, isPolite }) => {
        const client = await SocketClient.connect(store.url);
        const whole = REQUESTS[what].replace("COOKIE", visitor.cookieHeader);
        client.send(Buffer.from(whole.slice(0, Math.ceil(part * whole.length)) + junk, "latin1"));
        return { client, isPolite };
      }),
    );
    await wait(LOOK_MS);
    for (const { client, isPolite } of clients) {
      if (isPolite) client.finish();
      else client.reset();
    }
    await untilForgotten(store);
    assert.equal((await visitor.get("/api/v1/prints/shopslocation")).status, 200);
    const statuses = clients.flatMap(({ client }) => client.statuses);
    for (const status of statuses) countAnswer(tally, status);
    assert.deepEqual(
      statuses.filter((status) => status >= 500),
      [],
    );
    tally.requests += list.length;
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedAt);
  });
  const details = await fc.check(property, { seed, numRuns: leavings });
  if (details.failed)
    tally.failure = `${details.errorInstance}\n  to ${fc.stringify(details.counterexample)}`;
  return [tally];
}

/** Waits until no stream is open and no upload is in progress. */
async function untilForgotten({ deps, dataDir }: TestStore): Promise<void> {
  const left = async () => [deps.streams.open, await readdir(join(dataDir, "files", "incoming"))] as const;
  for (let waited = 0; waited < FORGET_MS; waited += LOOK_MS) {
    const [streams, uploads] = await left();
    if (streams === 0 && uploads.length === 0) return;
    await wait(LOOK_MS);
  }
  assert.deepEqual(await left(), [0, []]);
}

function head(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: store.example\r\nCookie: COOKIE\r\n`;
}

function post(path: string, type: string, body: string): string {
  return `${head("POST", path)}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body, "latin1")}\r\n\r\n${body}`;
}
