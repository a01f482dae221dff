import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#db/database.ts";
import { numberedPdf } from "../../factories/pdfs.numbered.ts";
import { withLimit } from "../child.ts";
import { type HttpLoad, sendLoad } from "../http-load.ts";
import { type BenchPlan, FILES_AT_ONCE, withLongBursts } from "../plan.ts";
import { type Burst, type Comparison, compare } from "../results.ts";
import { type World, waitUntilDone } from "../world.ts";

const MB = 1024 * 1024;
const PAGES = 20;
const FILE_MB = 10;

/** Four uploads at a time, each of a 10 MB PDF that is hashed, synced to disk, opened and counted. */
export async function measureUploads(
  plan: BenchPlan,
  { folder, databaseUrl, server, student }: World,
): Promise<Comparison> {
  const received = join(folder, "put");
  await mkdir(received, { recursive: true });
  const pdf = numberedPdf("Bench", PAGES, { each: (FILE_MB * MB) / PAGES });
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(pdf)], { type: "application/pdf" }), "bench.pdf");
  const encoded = new Response(form);
  const ours: HttpLoad = {
    url: `${server.url}/api/v1/uploads`,
    method: "POST",
    headers: {
      Cookie: student.cookieHeader,
      "Content-Type": encoded.headers.get("Content-Type") ?? "",
    },
    body: Buffer.from(await encoded.arrayBuffer()),
    connections: FILES_AT_ONCE,
  };
  const options = { args: [received], log: join(folder, "limits.log") };
  return withLimit("put-and-hash.ts", options, (url) =>
    compare(withLongBursts(plan), {
      path: `POST uploads, ${FILE_MB} MB × ${FILES_AT_ONCE}, counted and synced`,
      limit: "bare node:http, PUT and SHA-256 to disk",
      unit: "MB",
      atLeast: 0.5,
      async ours(seconds) {
        const burst = await sendFiles(ours, seconds);
        await waitUntilDone(databaseUrl, findUncheckedFile);
        return burst;
      },
      limits: async (seconds) => {
        const burst = await sendFiles({ url, method: "PUT", body: pdf, connections: FILES_AT_ONCE }, seconds);
        for (const name of await readdir(received)) await rm(join(received, name));
        return burst;
      },
    }),
  );
}

async function sendFiles(load: HttpLoad, seconds: number): Promise<Burst> {
  const burst = await sendLoad(load, seconds);
  return { ...burst, perSecond: burst.perSecond * FILE_MB };
}

/** A file that was not yet checked for colour. */
function findUncheckedFile(db: Db): Promise<unknown> {
  return db
    .selectFrom("files")
    .select("id")
    .where("colour_checked_pages", "is", null)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
}
