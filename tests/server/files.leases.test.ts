import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { Db } from "#db/database.ts";
import { transact } from "#db/transaction.ts";
import type { Deps } from "#server/context.ts";
import {
  endAllLeases,
  type FileWork,
  insertFile,
  markChecked,
  markDeleted,
  markErased,
  markOwnerFilesDeleted,
  markUnorderedDeleted,
} from "#server/files/files.queries.ts";
import { eraseDeleted, withLease } from "#server/files/files.service.ts";
import { createLog } from "#server/lib/log.ts";
import { openTempDatabase } from "../setup/temporary.ts";

// Two jobs on one file at once, on servers that share their files.

let db: Db;
let ownerId: string;
let id: string;
let deps: Pick<Deps, "db" | "files" | "now">;
beforeEach(async () => {
  ({ db } = await openTempDatabase());
  ownerId = randomUUID();
  const email = "asha@college.example";
  const nothing = { phone: null, verified_at: null, terms_accepted_at: null, deleted_at: null };
  const person = { id: ownerId, email, full_name: "Asha", password_hash: "", role: "customer" as const };
  await db
    .insertInto("users")
    .values({ ...person, ...nothing, created_at: at })
    .execute();
  id = await newFile();
  deps = { db, now: () => new Date(), files: { isShared: true } as Deps["files"] };
});

const at = new Date().toISOString();

async function newFile(): Promise<string> {
  const key = randomUUID();
  const kind = {
    original_filename: "Notes.pdf",
    bytes: 1,
    pages: 2,
    page_sizes: "{}",
    sha256: "",
  };
  const file = { id: key, owner_id: ownerId, created_at: at, ...kind };
  await transact(db, (trx) => insertFile(trx, file));
  return key;
}

function change(values: { deleted_at?: string; leased_until?: null }) {
  return db.updateTable("files").set(values).where("id", "=", id).execute();
}

const done = async () => "done" as const;
const erase = (body: () => Promise<string>) => withLease(deps, { id, work: "erasure" }, body);
const checkPages = (body: () => Promise<string>) => withLease(deps, { id, work: "colours" }, body);

test("a deleted file is not checked for colour, so that it can be erased at once", async () => {
  await change({ deleted_at: at });
  expect(await checkPages(done)).toBeNull();
  expect(await erase(done)).toBe("done");
});

test("a file can be erased during its colour check, and only by one server", async () => {
  const erasure = Promise.withResolvers<string>();
  let erased: Promise<string | null> | undefined;
  await checkPages(async () => {
    await change({ deleted_at: at, leased_until: null });
    await new Promise<void>((begun) => {
      erased = erase(() => {
        begun();
        return erasure.promise;
      });
    });
    return "looked at";
  });
  expect(await erase(done)).toBeNull();
  erasure.resolve("erased");
  expect(await erased).toBe("erased");
});

test("a lease on a file ends after 60 seconds, so that another server can continue", async () => {
  await change({ deleted_at: at });
  const [died, began] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const start = Date.now();
  const eraseAfter = <Result>(ms: number, body: () => Promise<Result>) =>
    withLease({ ...deps, now: () => new Date(start + ms) }, { id, work: "erasure" }, body);
  const first = eraseAfter(0, () => {
    began.resolve();
    return died.promise;
  });
  await began.promise;
  expect(await eraseAfter(60_000 - 1, done)).toBeNull();
  const second = await eraseAfter(60_000, async () => {
    died.resolve("too late");
    await first;
    return [await eraseAfter(60_000, done), "done"];
  });
  expect(second).toEqual([null, "done"]);
});

test("a file that is not marked as deleted is not erased", async () => {
  expect(await erase(done)).toBeNull();
  expect(await checkPages(done)).toBe("done");
});

test("a server that stops ends with the file that it is erasing, and its next start erases the others", async () => {
  await newFile();
  await newFile();
  await transact(db, (trx) => markOwnerFilesDeleted(trx, { ownerId, at }));
  const erased: string[] = [];
  const log = createLog("silent");
  async function start(closing: AbortSignal, onErased?: () => void): Promise<number> {
    const remove = async (key: string) => {
      erased.push(key);
      onErased?.();
    };
    await eraseDeleted({ ...deps, log, closing, files: { isShared: true, remove } as Deps["files"] });
    return erased.length;
  }

  const closing = new AbortController();
  expect(await start(closing.signal, () => closing.abort())).toBe(1);
  expect(await start(new AbortController().signal)).toBe(3);
  expect(new Set(erased).size).toBe(3);
});

/** What the rules allow: one server at a time for each work, for 60 seconds, and the erasure only once the file is deleted. */
class LeaseModel {
  isDeleted = false;
  readonly #done = new Set<FileWork>();
  #lease: { work: FileWork; server: number; endsAt: number } | null = null;

  begin(work: FileWork, server: number, now: number): boolean {
    if (this.#done.has(work) || (work === "erasure") !== this.isDeleted) return false;
    if (this.#lease && this.#lease.endsAt > now) return false;
    this.#lease = { work, server, endsAt: now + 60_000 };
    return true;
  }

  /** A server that was taken for dead leaves the lease of its successor alone. */
  end(work: FileWork, server: number, isDone: boolean): void {
    if (isDone) this.#done.add(work);
    if (this.#lease?.work === work && this.#lease.server === server) this.#lease = null;
  }

  /** A file that is looked at for colour can be erased meanwhile. */
  delete(): void {
    if (!this.isDeleted) this.#lease = null;
    this.isDeleted = true;
  }

  restart(): void {
    this.#lease = null;
  }
}

interface Step {
  what: "begin" | "done" | "failed" | "crash" | "delete" | "restart";
  server: number;
  /** Of the ways in which a file is deleted. */
  how: number;
  waitMs: number;
}

/** The file is deleted while one server looks for colours and is erased at once by another, and the first one ends before it. */
function deletedMeanwhile(how: number): Step[] {
  const first = { server: 0, how, waitMs: 0 };
  return [
    { ...first, what: "begin" },
    { ...first, what: "delete" },
    { ...first, what: "begin", server: 1 },
    { ...first, what: "failed" },
    { ...first, what: "begin", server: 2 },
  ];
}

test("no two servers do the same work on a file at once, and no work is lost, whoever crashes or is slow", async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom(
      "begin",
      "begin",
      "begin",
      "begin",
      "done",
      "failed",
      "failed",
      "crash",
      "delete",
      "restart",
    ),
    server: fc.nat({ max: 2 }),
    how: fc.nat({ max: 2 }),
    waitMs: fc.constantFrom(0, 0, 0, 1, 30_000, 60_000 - 1, 60_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16, size: "max" }), async (steps) => {
      let now = Date.parse(at);
      const model = new LeaseModel();
      id = await newFile();
      const servers = { ...deps, now: () => new Date(now) };
      const iso = () => new Date(now).toISOString();
      const atWork: (Held | undefined)[] = [];

      const begin = async (work: FileWork): Promise<Held | null> => {
        const [end, begun] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
        const ended = withLease(servers, { id, work }, async () => {
          begun.resolve();
          if (!(await end.promise)) throw new Error("the work failed");
          if (work === "erasure") await markErased(db, id, iso());
          else
            await markChecked(db, id, {
              colourPages: "",
              checkedPages: 2,
              blankPages: "",
              edgePages: "",
            });
          return "done";
        });
        ended.catch(() => {});
        const isBegun = await Promise.race([begun.promise.then(() => true), ended.then(() => false)]);
        return isBegun ? { work, end: end.resolve, ended } : null;
      };
      const remove = async (how: number) => {
        if (how === 0) await markDeleted(db, { id, ownerId, at: iso() });
        else if (how === 1) await transact(db, (trx) => markOwnerFilesDeleted(trx, { ownerId, at: iso() }));
        else await markUnorderedDeleted(db, { before: new Date(now + 1).toISOString(), at: iso() });
      };

      for (const { what, server, how, waitMs } of steps) {
        now += waitMs;
        const held = atWork[server];
        if (what === "begin" && !held) {
          const work = model.isDeleted ? "erasure" : "colours";
          const started = await begin(work);
          expect(started !== null).toBe(model.begin(work, server, now));
          if (started) atWork[server] = started;
        } else if ((what === "done" || what === "failed") && held) {
          held.end(what === "done");
          await held.ended.catch(() => {});
          model.end(held.work, server, what === "done");
          atWork[server] = undefined;
        } else if (what === "crash") atWork[server] = undefined;
        else if (what === "delete") {
          await remove(how);
          model.delete();
        } else if (what === "restart" && how === 0) {
          await endAllLeases(db);
          model.restart();
          atWork.length = 0;
        }
      }
      now += 60_000;
      const work = model.isDeleted ? "erasure" : "colours";
      expect((await begin(work)) !== null).toBe(model.begin(work, 3, now));
    }),
    { numRuns: 60, examples: [0, 1, 2].map((how): [Step[]] => [deletedMeanwhile(how)]) },
  );
});

interface Held {
  work: FileWork;
  /** Lets the work end well, or fail. */
  end(isDone: boolean): void;
  ended: Promise<unknown>;
}
