import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "#server/errors.ts";
import { createPendingRows, openPendingFolder } from "#server/files/storage/pending-uploads.ts";
import { openTempDatabase, tempFolder } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";

// Uploads to a store that several servers share, and the cleanup of what dead ones left.

const STALE_MS = 10 * 60_000;

async function sharedStore() {
  const { db } = await openTempDatabase();
  const clock = new TestClock();
  const pending = createPendingRows({ db, now: clock.now });
  /** The keys of files whose bytes are in the store, and of those with a row. */
  const [stored, recorded] = [new Set<string>(), new Set<string>()];
  const sweep = () =>
    pending.removeAbandoned(
      async (key) => recorded.has(key),
      async (key) => void stored.delete(key),
    );
  const listed = async () => (await db.selectFrom("pending_files").select("storage_key").execute()).length;
  return { pending, clock, stored, recorded, sweep, listed };
}

test("an upload that takes longer than ten minutes is kept while its server says every minute that it goes on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { pending, clock, stored, recorded, sweep, listed } = await sharedStore();
  const intervals = vi.getTimerCount();
  const arrived = Promise.withResolvers<void>();
  const kept = pending.during("thesis", {
    store: () => {
      stored.add("thesis");
      return arrived.promise;
    },
    record: async () => void recorded.add("thesis"),
    undo: async () => void stored.delete("thesis"),
  });
  await expect.poll(() => stored.size).toBe(1);

  for (let minutes = 0; minutes < 15; minutes++) {
    clock.advance({ minutes: 1 });
    vi.advanceTimersByTime(60_000);
    await sweep();
  }
  expect([stored.size, await listed()]).toEqual([1, 1]);
  arrived.resolve();
  await kept;
  expect([[...recorded], await listed()]).toEqual([["thesis"], 0]);
  expect(vi.getTimerCount()).toBe(intervals);
});

test("on this machine's disk, an upload under way is kept, and what a dead server left is removed", async () => {
  const folder = await tempFolder();
  await (await openPendingFolder(folder))
    .during("left", {
      store: async () => {},
      record: () => Promise.reject(NO_ANSWER),
      undo: async () => {},
    })
    .catch(() => {});
  const pending = await openPendingFolder(folder);
  const arrived = Promise.withResolvers<void>();
  const storing = vi.fn(() => arrived.promise);
  const kept = pending.during("thesis", { store: storing, record: async () => {}, undo: async () => {} });
  await expect.poll(() => storing.mock.calls.length).toBe(1);
  const removed: string[] = [];
  await pending.removeAbandoned(
    async () => false,
    async (key) => void removed.push(key),
  );
  expect(removed).toEqual(["left"]);
  arrived.resolve();
  await kept;
});

test.each(["this machine's disk", "the store that servers share"])(
  "on %s, what cannot be removed keeps no other, is tried again, and is only the first where the store does not answer",
  async (place) => {
    const { pending: shared, clock } = await sharedStore();
    const pending = place.startsWith("this") ? await openPendingFolder(await tempFolder()) : shared;
    for (const key of ["1", "2", "3"]) {
      const undo = () => Promise.reject(new Error("not now"));
      await pending.during(key, { store: async () => {}, record: undo, undo }).catch(() => {});
    }
    clock.advance({ minutes: 10 });
    const tried: string[] = [];
    const remove = (refused: string[], error: Error) =>
      pending.removeAbandoned(
        async () => false,
        async (key) => {
          tried.push(key);
          if (refused.includes(key)) throw error;
        },
      );
    await expect(remove(["1", "2", "3"], new AppError("UNAVAILABLE", "No answer"))).rejects.toThrow(
      "No answer",
    );
    expect(tried.splice(0)).toHaveLength(1);
    await expect(remove(["1"], new Error("refused"))).rejects.toThrow("refused");
    expect(tried.splice(0).toSorted()).toEqual(["1", "2", "3"]);
    await remove([], new Error("none"));
    expect(tried).toEqual(["1"]);
  },
);

/** How an upload ends, by what is left of it. */
const ENDS = {
  recorded: "its row is written",
  "not arrived": "the file store refused it",
  "not recorded": "the database refused its row",
  "not undone": "the database refused its row, and the file store its removal",
  "no answer, recorded": "the database wrote its row and did not answer",
  "no answer, not recorded": "the database neither wrote its row nor answered",
  "killed before": "its server died before its row was written",
  "killed after": "its server died after its row was written",
};
type End = keyof typeof ENDS;
const NO_ANSWER = Object.assign(new Error("the line went dead"), { code: "ECONNRESET" });

test("whatever becomes of an upload, ten minutes later its bytes are there if and only if its row is, and not a day later", async () => {
  const step = fc.record({
    what: fc.constantFrom("begin", "begin", "end", "end", "sweep", "failing sweep"),
    which: fc.nat({ max: 3 }),
    end: fc.constantFrom(...(Object.keys(ENDS) as End[])),
    waitMs: fc.constantFrom(0, 0, 1, STALE_MS / 2, STALE_MS - 1, STALE_MS),
  });
  const { pending, clock, stored, recorded, sweep, listed } = await sharedStore();
  let keys = 0;

  /** An upload whose bytes arrive until `end`. */
  function begin() {
    const key = `file-${keys++}`;
    const arriving = Promise.withResolvers<End>();
    const killed = Promise.withResolvers<void>();
    let how: End;
    const kept = pending.during(key, {
      async store() {
        stored.add(key);
        how = await arriving.promise;
        if (how === "not arrived") throw new Error("UploadThing answered 403");
      },
      async record() {
        if (how === "recorded" || how.endsWith(", recorded") || how === "killed after") recorded.add(key);
        if (how.startsWith("killed")) {
          killed.resolve();
          await new Promise(() => {});
        }
        if (how.startsWith("no answer")) throw NO_ANSWER;
        if (how !== "recorded") throw new Error("no row today");
      },
      async undo() {
        if (how === "not undone") throw new Error("UploadThing answered 500");
        stored.delete(key);
      },
    });
    const ended = kept.catch(() => {});
    return {
      key,
      seenAt: clock.now().getTime(),
      async end(given: End) {
        arriving.resolve(given);
        await Promise.race([ended, killed.promise]);
      },
    };
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16, size: "max" }), async (steps) => {
      const underWay: ReturnType<typeof begin>[] = [];
      for (const { what, which, end, waitMs } of steps) {
        clock.advance({ ms: waitMs });
        const upload = underWay[which];
        if (what === "begin") {
          const begun = begin();
          await expect.poll(() => stored.has(begun.key), { interval: 1 }).toBe(true);
          underWay.push(begun);
        } else if (what === "end" && upload) {
          underWay.splice(which, 1);
          const isTakenForDead = !stored.has(upload.key);
          await upload.end(end);
          if (isTakenForDead)
            expect([recorded.has(upload.key), stored.has(upload.key)]).toEqual([false, false]);
        } else if (what === "sweep") await sweep();
        else if (what === "failing sweep") {
          const refusing = () => Promise.reject(new Error("UploadThing answered 500"));
          await pending.removeAbandoned(async (key) => recorded.has(key), refusing).catch(() => {});
        }
        expect([...recorded].filter((key) => !stored.has(key))).toEqual([]);
        const alive = underWay.filter(({ seenAt }) => clock.now().getTime() - seenAt < STALE_MS);
        expect(alive.filter(({ key }) => !stored.has(key))).toEqual([]);
      }
      clock.advance({ ms: STALE_MS });
      await sweep();
      expect([[...stored].toSorted(), await listed()]).toEqual([[...recorded].toSorted(), 0]);
    }),
    { numRuns: 40 },
  );
});
