import { createHash, randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { PDFDocument } from "pdf-lib";
import { orderFor } from "../factories/orders.ts";
import { moveTo } from "../factories/placed-orders.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";

const STUDENTS = 3;
const PAGES = 2;
const POLL_MS = 20;

export interface Progress {
  orders: number;
  printed: number;
}

/** Students and staff who work until they are stopped. */
export interface Traffic {
  students: Student[];
  /** The SHA-256 of the file of each confirmed order, by order id. */
  orders: Map<string, string>;
  /** Orders that staff have marked, or were just marking, as printed. */
  printed: Set<string>;
  /** The progress so far. */
  progress(): Progress;
  /** Waits until this much more is done. */
  goesOn(more: Progress): Promise<void>;
  /** Stops the traffic; throws if any call was refused. */
  stop(): Promise<void>;
}

/** Students who upload and order one document after another, and an admin who marks every second order as printed. */
export async function startTraffic(store: TestStore, shopId: string): Promise<Traffic> {
  const admin = await signedInAdmin(store);
  const people = await Promise.all(Array.from({ length: STUDENTS }, () => signedInStudent(store)));
  const orders: Traffic["orders"] = new Map();
  const printed = new Set<string>();
  /** Orders to print; the others stay as placed. */
  const waiting: string[] = [];
  const progress = () => ({ orders: orders.size, printed: printed.size });
  let isOver = false;

  const order = async (visitor: ApiClient) => {
    while (!isOver) {
      const { id, sha256 } = await orderOnce(visitor, shopId);
      orders.set(id, sha256);
      if (orders.size % 2 === 0) waiting.push(id);
    }
  };
  const print = async () => {
    while (!isOver) {
      const id = waiting.shift();
      if (!id) await pause(POLL_MS);
      else {
        printed.add(id);
        await moveTo(admin.visitor, id, "dispatched");
      }
    }
  };
  const all = Promise.all([...people.map(({ visitor }) => order(visitor)), print()]);
  return {
    students: people.map(({ student }) => student),
    orders,
    printed,
    progress,
    async goesOn(more) {
      const start = progress();
      const isReached = (now: Progress) =>
        now.orders >= start.orders + more.orders && now.printed >= start.printed + more.printed;
      const reached = async () => {
        while (!isReached(progress())) await pause(POLL_MS);
      };
      await Promise.race([reached(), all]);
    },
    async stop() {
      isOver = true;
      await all;
    },
  };
}

async function orderOnce(visitor: ApiClient, shopId: string): Promise<{ id: string; sha256: string }> {
  const bytes = await uniquePdf();
  const upload = await visitor.upload(bytes);
  const order = await orderFor(visitor, { shopId, pages: PAGES, filesUrl: [upload.body.secure_url] });
  const { status, body } = await visitor.post("/api/v1/prints/printorder", order);
  if (status !== 200) throw new Error(`Placing the order answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.data._id, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** A unique document of some size. */
async function uniquePdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (let page = 0; page < PAGES; page++) document.addPage([595, 842]);
  document.setSubject(randomBytes(20_000).toString("hex"));
  return new Uint8Array(await document.save());
}
