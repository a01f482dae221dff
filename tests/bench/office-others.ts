import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#db/open.ts";
import { documentBomb, textOfPages } from "../factories/documents.ts";
import { orderFor } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { LOAD_PASSWORD } from "../load/rows.ts";
import { ApiClient } from "../setup/api-client.ts";
import { quantile } from "./results.ts";
import { fillFolder, MODEL_SHOP, openWorld, type World } from "./world.ts";

/** How long requests are sent before and during conversions in each round, and how long both are left alone before. */
const PHASE_MS = 6000;
const BETWEEN_MS = 2000;
/** A student's next press. */
const PAUSE_MS = 20;
/** As many as are converted at once. */
const SENDERS = 2;

const REQUESTS = ["shop list", "PDF upload", "order"] as const;
type Times = Record<(typeof REQUESTS)[number], number[]>;

/**
 * Measures what requests of a student take on the built server, in turns without and with conversions of other accounts, which
 * send these documents, one of 2,000 pages and a bomb one after the other. Prints medians over the rounds.
 */
export async function measureOthers(documents: Uint8Array<ArrayBuffer>[], rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-office-"));
  await fillFolder(folder, { shops: 50, orders: 1000 });
  const world = await openWorld(folder);
  try {
    const senders = await signOthersIn(world);
    const sent = [Buffer.from(textOfPages(2000)), documentBomb(), ...documents];
    const pairs: Record<"alone" | "beside", Times>[] = [];
    const answers: string[] = [];
    await sendRequests(world);
    for (let round = 0; round < rounds; round++) {
      const pair: Partial<Record<"alone" | "beside", Times>> = {};
      for (const phase of round % 2 ? (["beside", "alone"] as const) : (["alone", "beside"] as const)) {
        const leaving = new AbortController();
        const streams =
          phase === "beside" ? senders.map((one) => sendDocuments(one, sent, leaving.signal, answers)) : [];
        await sleep(BETWEEN_MS);
        pair[phase] = await sendRequests(world);
        leaving.abort();
        await Promise.all(streams);
      }
      pairs.push(pair as Record<"alone" | "beside", Times>);
    }
    console.table(REQUESTS.flatMap((request) => [0.5, 0.9].map((share) => compare(pairs, request, share))));
    for (const [answer, all] of Map.groupBy(answers, (answer) => answer))
      console.log(`${all.length} × ${answer}`);
  } finally {
    await world.server.stop();
    await rm(folder, { recursive: true });
  }
}

async function signOthersIn({ databaseUrl, server, studentId }: World): Promise<ApiClient[]> {
  const { db, close } = await openDatabase(databaseUrl);
  const others = await db
    .selectFrom("users")
    .select("email")
    .where("role", "=", "customer")
    .where("id", "<>", studentId)
    .limit(SENDERS)
    .execute();
  await close();
  return Promise.all(
    others.map(async ({ email }) => {
      const other = new ApiClient(server.url);
      const { status } = await other.post("/api/v1/users/login", { email, password: LOAD_PASSWORD });
      if (status !== 200) throw new Error(`The login of ${email} was answered with ${status}`);
      return other;
    }),
  );
}

/** Sends one document after the other until `signal` aborts, and adds what is answered. */
async function sendDocuments(
  sender: ApiClient,
  documents: Uint8Array<ArrayBuffer>[],
  signal: AbortSignal,
  answers: string[],
): Promise<void> {
  while (!signal.aborted) {
    // Every sender begins with another one, and each round goes on with the next.
    const document = documents[started++ % documents.length];
    const form = new FormData();
    form.set("convert", "pdf");
    form.set("file", new Blob([document ?? ""]), "notes.docx");
    const sending = sender.fetch("/api/v1/uploads", { method: "POST", body: form, signal });
    const answer = await sending.then((response) => response.json()).catch(() => null);
    answers.push(answer ? (answer.message ?? "converted") : "given up at the end of a round");
  }
}

let started = 0;

/** One request after the other for a while, and what each took in ms. */
async function sendRequests({ student }: World): Promise<Times> {
  const times: Times = { "shop list": [], "PDF upload": [], order: [] };
  const pdf = await pdfOfPages(3);
  const template = await orderFor(student, { shopId: MODEL_SHOP, pages: 3, filesUrl: ["file"] });
  const take = async (request: keyof Times, send: () => ReturnType<ApiClient["get"]>) => {
    const start = performance.now();
    const { status, body } = await send();
    times[request].push(performance.now() - start);
    if (status !== 200) throw new Error(`${request}: ${status} ${JSON.stringify(body)}`);
    await sleep(PAUSE_MS);
    return body;
  };
  const end = performance.now() + PHASE_MS;
  while (performance.now() < end) {
    await take("shop list", () => student.get("/api/v1/prints/shopslocation"));
    const { secure_url } = await take("PDF upload", () => student.upload(pdf));
    const order = { ...template, orderData: { ...template.orderData, filesUrl: [secure_url] } };
    await take("order", () =>
      student.post("/api/v1/prints/printorder", { ...order, idempotencyKey: randomUUID() }),
    );
  }
  return times;
}

function compare(pairs: Record<"alone" | "beside", Times>[], request: keyof Times, share: number) {
  const rounds = pairs.map(({ alone, beside }) => ({
    alone: quantile(alone[request], share),
    beside: quantile(beside[request], share),
  }));
  const rounded = (values: number[], at = 0.5) => Math.round(100 * quantile(values, at)) / 100;
  const ratios = rounds.map(({ alone, beside }) => beside / alone);
  return {
    request: `${request}, p${100 * share}`,
    "alone, ms": rounded(rounds.map(({ alone }) => alone)),
    "beside conversions, ms": rounded(rounds.map(({ beside }) => beside)),
    "median ratio": rounded(ratios),
    "half of the ratios": `${rounded(ratios, 0.25)} to ${rounded(ratios, 0.75)}`,
  };
}
