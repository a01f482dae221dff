import fc from "fast-check";
import type { AnswerJudge } from "./open-api.ts";
import type { RawAnswer, RawRequest } from "./raw-client.ts";

export interface FuzzSettings {
  /** The same seed makes the same requests. */
  seed: number;
  /** How many there are altogether. */
  requests: number;
}

/** What became of the requests of one call. */
export interface Tally {
  name: string;
  requests: number;
  /** How many answers there were of each status, or outcomes of each sort. */
  answers: Record<string, number>;
  slowestMs: number;
  /** The smallest request that went wrong, and how; null where none did. */
  failure: string | null;
}

interface Subject {
  name: string;
  requests: fc.Arbitrary<RawRequest>;
  send(request: RawRequest): Promise<RawAnswer>;
  judge: AnswerJudge;
}

/** Sends one call so many of its requests, one after another, and finds the smallest that is answered wrongly. */
export async function tallyRequests(
  { name, requests, send, judge }: Subject,
  { seed, requests: numRuns }: FuzzSettings,
): Promise<Tally> {
  const tally: Tally = { name, requests: 0, answers: {}, slowestMs: 0, failure: null };
  const property = fc.asyncProperty(requests, async (request) => {
    const answer = await send(request);
    tally.requests++;
    tally.answers[answer.status] = (tally.answers[answer.status] ?? 0) + 1;
    tally.slowestMs = Math.max(tally.slowestMs, answer.ms);
    const fault = judge(answer);
    if (fault) throw new Error(`${name} ${fault}`);
  });
  const details = await fc.check(property, { seed, numRuns });
  return { ...tally, failure: details.failed ? describeFailure(details) : null };
}

const LONGEST_REPORT = 2000;

function describeFailure({
  counterexample,
  counterexamplePath,
  errorInstance,
}: fc.RunDetails<[RawRequest]>): string {
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${message}\n  to ${fc.stringify(counterexample).slice(0, LONGEST_REPORT)}\n  at ${counterexamplePath}`;
}

/** One tally for each name, in place of several. */
export function addTallies(tallies: Tally[]): Tally[] {
  return [...Map.groupBy(tallies, ({ name }) => name).values()].map((same) => same.reduce(sumOf));
}

function sumOf(one: Tally, other: Tally): Tally {
  const answers = { ...one.answers };
  for (const [status, times] of Object.entries(other.answers)) {
    answers[status] = (answers[status] ?? 0) + times;
  }
  return {
    name: one.name,
    requests: one.requests + other.requests,
    answers,
    slowestMs: Math.max(one.slowestMs, other.slowestMs),
    failure: one.failure ?? other.failure,
  };
}

export function printTally({ name, requests, answers, slowestMs, failure }: Tally): void {
  const parts = Object.entries(answers).map(([answer, times]) => `${answer}×${times}`);
  console.log(
    `${String(requests).padStart(6)} ${name}: ${parts.join(" ")}, slowest ${Math.round(slowestMs)} ms`,
  );
  if (failure) console.log(`       FAILED ${failure}`);
}
