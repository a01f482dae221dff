import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import pino from "pino";
import { expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { claimDueMails, releaseMailLeases, retryFailedMail } from "#server/mail/mail.queries.ts";
import { withdrawMail } from "#server/mail/mail.service.ts";
import { startMailWorker } from "#server/mail/mail.worker.ts";
import { MailRefused, type MailTransport } from "#server/mail/transport.ts";
import { openPostOffice, type PostOffice } from "./mail.fixtures.ts";

const LEASE_MS = 2 * 60_000;
/** The pauses after the first failures, give or take a fifth; the last one is repeated. */
const PAUSES_MS = [5000, 30_000, 120_000, 600_000, 3_600_000];
const LAST_TRY = 77;

type Outcome = "sent" | "failed" | "refused";

/** A mail by the rules alone. */
interface ModelMail {
  id: string;
  state: "waiting" | "sent" | "given up" | "withdrawn";
  tries: number;
  dueAt: number;
  /** The claim under which a worker has it in hand, and when others may take it. */
  claim: object | null;
  leasedUntil: number;
}

/** Which mails are due to be sent, and what becomes of them. */
class OutboxModel {
  readonly mails: ModelMail[] = [];

  add(id: string, tries: number, now: number): void {
    this.mails.push({ id, state: "waiting", tries, dueAt: now, claim: null, leasedUntil: 0 });
  }

  /** Everything that is due and that nobody has in hand. */
  claim(now: number): { mail: ModelMail; claim: object }[] {
    const due = this.mails.filter(
      ({ state, dueAt, leasedUntil }) => state === "waiting" && dueAt <= now && leasedUntil <= now,
    );
    return due.map((mail) => {
      const claim = {};
      Object.assign(mail, { tries: mail.tries + 1, claim, leasedUntil: now + LEASE_MS });
      return { mail, claim };
    });
  }

  /** What is sent is sent; a failure only counts for the worker that has the mail in hand. Returns the pause's bounds. */
  report(mail: ModelMail, claim: object, outcome: Outcome): { least: number; most: number } | null {
    if (mail.state === "withdrawn") return null;
    if (outcome === "sent") mail.state = "sent";
    if (mail.state === "sent" || mail.claim !== claim) return null;
    Object.assign(mail, { claim: null, leasedUntil: 0 });
    if (outcome === "refused" || mail.tries >= LAST_TRY) mail.state = "given up";
    if (mail.state === "given up") return null;
    const pause = PAUSES_MS[Math.min(mail.tries, PAUSES_MS.length) - 1] ?? 0;
    return { least: 0.8 * pause, most: 1.2 * pause };
  }

  /** The next moment at which a mail can be sent that cannot be now. */
  nextMoment(now: number): number | undefined {
    const waiting = this.mails.filter(({ state }) => state === "waiting");
    const moments = waiting.map(({ dueAt, leasedUntil }) => Math.max(dueAt, leasedUntil));
    return moments.filter((moment) => moment > now).toSorted((a, b) => a - b)[0];
  }
}

/** A process that claims once what is due, and ends; its mails are in hand until `finish`. */
interface Run {
  claimed: ReturnType<OutboxModel["claim"]>;
  finish(outcome: Outcome): Promise<void>;
}

/** Starts a process and expects that it sends exactly what the model lets it claim. */
async function startRun({ db, clock }: PostOffice, model: OutboxModel): Promise<Run> {
  const sending: { id: string; end: PromiseWithResolvers<void> }[] = [];
  const begun = Promise.withResolvers<void>();
  const transport: MailTransport = {
    send({ id }) {
      const end = Promise.withResolvers<void>();
      sending.push({ id, end });
      begun.resolve();
      return end.promise;
    },
  };
  const worker = startMailWorker({ db, log: pino({ level: "silent" }), now: clock.now, transport });
  const stopped = worker.stop();
  // Whatever it claims is sent in one turn of the event loop.
  await Promise.race([stopped, begun.promise]);
  await setImmediate();
  const claimed = model.claim(clock.now().getTime());
  expect(sending.map(({ id }) => id).toSorted()).toEqual(claimed.map(({ mail }) => mail.id).toSorted());
  return {
    claimed,
    async finish(outcome) {
      for (const { end } of sending) {
        if (outcome === "sent") end.resolve();
        else end.reject(outcome === "refused" ? new MailRefused("550", null) : new Error("450"));
      }
      await stopped;
    },
  };
}

/** A process reports a failure when its mail was given up by another one, was queued again, and is in a third one's hands. */
const LATE_FAILURE = steps([
  { what: "hold", wait: "" },
  { what: "run", wait: "until the next moment", outcome: "refused" },
  { what: "resend", wait: "" },
  { what: "hold", wait: "" },
  { what: "report", wait: "" },
  { what: "run", wait: "almost" },
]);
/** A process reports that it has sent a mail which another one was refused meanwhile. */
const LATE_SUCCESS = steps([
  { what: "hold", wait: "" },
  { what: "run", wait: "until the next moment", outcome: "refused" },
  { what: "report", wait: "", outcome: "sent" },
  { what: "resend", wait: "" },
]);
/** A mail that was given up and is queued again begins with the shortest pause. */
const AGAIN = steps([
  { what: "run", wait: "", outcome: "refused" },
  { what: "resend", wait: "" },
  { what: "run", wait: "" },
]);

function steps(given: { what: string; wait: string; outcome?: Outcome }[]) {
  return given.map((step) => ({ outcome: "failed" as Outcome, tries: 0, which: 0, ...step }));
}

test("each mail is tried by one process at a time, after its pauses, until it is sent or given up, whoever crashes", async () => {
  const office = await openPostOffice();
  const { db, clock } = office;
  const step = fc.record({
    what: fc.constantFrom(
      "queue",
      "run",
      "run",
      "run",
      "hold",
      "hold",
      "report",
      "crash",
      "withdraw",
      "resend",
    ),
    outcome: fc.constantFrom<Outcome>("sent", "failed", "failed", "refused"),
    tries: fc.constantFrom(0, 0, 2, LAST_TRY - 2, LAST_TRY - 1),
    which: fc.nat({ max: 3 }),
    wait: fc.constantFrom("", "", "1 ms", "almost", "until the next moment", "until the next moment"),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: "max" }), async (steps) => {
      await db.deleteFrom("outbox").execute();
      const model = new OutboxModel();
      const running: Run[] = [];
      const now = () => clock.now().getTime();

      async function queue(tries: number): Promise<void> {
        const id = await office.queue();
        await db.updateTable("outbox").set({ attempts: tries }).where("id", "=", id).execute();
        model.add(id, tries, now());
      }

      async function report(run: Run, outcome: Outcome): Promise<void> {
        await run.finish(outcome);
        for (const { mail, claim } of run.claimed) {
          const pause = model.report(mail, claim, outcome);
          if (!pause) continue;
          mail.dueAt = Date.parse((await office.row(mail.id)).due_at);
          expect(mail.dueAt - now()).toBeGreaterThanOrEqual(pause.least);
          expect(mail.dueAt - now()).toBeLessThanOrEqual(pause.most);
        }
      }

      await queue(0);
      for (const { what, outcome, tries, which, wait } of steps) {
        const next = model.nextMoment(now());
        if (wait === "1 ms") clock.advance({ ms: 1 });
        else if (wait && next) clock.set(new Date(wait === "almost" ? next - 1 : next));
        const run = running[which];
        const mail = model.mails[which];
        if (what === "queue" && model.mails.length < 4) await queue(tries);
        else if (what === "run") await report(await startRun(office, model), outcome);
        else if (what === "hold") running.push(await startRun(office, model));
        else if (what === "report" && run) {
          running.splice(which, 1);
          await report(run, outcome);
        } else if (what === "crash" && which === 0) {
          // The only server is killed, and the next one ends its leases.
          running.length = 0;
          await releaseMailLeases(db);
          for (const each of model.mails) Object.assign(each, { claim: null, leasedUntil: 0 });
        } else if (what === "crash") running.splice(which, 1);
        else if (what === "withdraw" && mail) {
          const isWithdrawn =
            mail.state !== "sent" && (mail.state === "withdrawn" || mail.leasedUntil <= now());
          expect(await transact(db, (trx) => withdrawMail(trx, clock, mail.id))).toBe(isWithdrawn);
          if (isWithdrawn) mail.state = "withdrawn";
        } else if (what === "resend" && mail) {
          const again = await transact(db, (trx) => retryFailedMail(trx, mail.id, clock.now().toISOString()));
          expect(again).toBe(mail.state === "given up");
          if (again) Object.assign(mail, { state: "waiting", tries: 0, dueAt: now() });
        }
      }

      for (let rest = model.mails.length + 1; rest > 0; rest--) {
        await report(await startRun(office, model), "sent");
        const next = model.nextMoment(now());
        if (next) clock.set(new Date(next));
      }
      expect(model.mails.filter(({ state }) => state === "waiting")).toEqual([]);
      const rows = await db.selectFrom("outbox").select(["id", "sent_at", "failed_at"]).execute();
      const states = rows.map((row) => [row.id, row.sent_at !== null, row.failed_at !== null]);
      const left = model.mails.filter(({ state }) => state !== "withdrawn");
      const expected = left.map(({ id, state }) => [id, state === "sent", state === "given up"]);
      expect(states.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 60, examples: [[LATE_FAILURE], [LATE_SUCCESS], [AGAIN]] },
  );
});

test("codes and links that open an account are sent before every other mail, however many wait", async () => {
  const { db, clock, queue } = await openPostOffice();
  const others = [await queue({ kind: "order-changed" }), await queue({ kind: "order-held" })];
  const link = await queue({ kind: "account-recovery", secret: true });
  const code = await queue({ kind: "account-login", secret: true });
  const now = clock.now().toISOString();
  const claim = { now, leaseUntil: new Date(clock.now().getTime() + LEASE_MS).toISOString(), limit: 2 };
  const claimed = async () => (await claimDueMails(db, claim)).map(({ id }) => id).toSorted();
  expect(await claimed()).toEqual([link, code].toSorted());
  expect(await claimed()).toEqual(others.toSorted());
});

test("the mail that has been due longest is sent first", async () => {
  const { db, clock, queue } = await openPostOffice();
  const failedOnce = await queue();
  const waiting = await queue();
  clock.advance({ seconds: 10 });
  const now = clock.now().toISOString();
  await db.updateTable("outbox").set({ due_at: now }).where("id", "=", failedOnce).execute();
  const claim = { now, leaseUntil: new Date(clock.now().getTime() + LEASE_MS).toISOString(), limit: 1 };
  expect(await claimDueMails(db, claim)).toMatchObject([{ id: waiting }]);
  expect(await claimDueMails(db, claim)).toMatchObject([{ id: failedOnce }]);
});
