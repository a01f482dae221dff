import fc from "fast-check";
import type { RawAnswer, RawRequest } from "./raw-client.ts";

export interface FuzzSettings {
  /** The same seed makes the same requests. */
  seed: number;
  /** The total number of requests. */
  requests: number;
}

/** The results of one call's requests. */
export interface Tally {
  name: string;
  requests: number;
  /** The number of responses by status, or of results by kind. */
  answers: Record<string, number>;
  slowestMs: number;
  /** The smallest failing request and its failure; null if none failed. */
  failure: string | null;
}

/** A tally in which nothing is counted yet. */
export function startTally(name: string): Tally {
  return { name, requests: 0, answers: {}, slowestMs: 0, failure: null };
}

/** Counts a response by its status, or a result by its kind. */
export function countAnswer({ answers }: Tally, answer: string | number): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}

/** What is wrong with the response to a request; null if nothing. */
export type ResponseCheck = (answer: RawAnswer, request: RawRequest) => string | null;

interface Subject {
  name: string;
  requests: fc.Arbitrary<RawRequest>;
  send(request: RawRequest): Promise<RawAnswer>;
  judge: ResponseCheck;
}

/** Sends many requests of one call, one after another, and finds the smallest one with a wrong response. */
export async function tallyRequests(
  { name, requests, send, judge }: Subject,
  { seed, requests: numRuns }: FuzzSettings,
): Promise<Tally> {
  const tally = startTally(name);
  const property = fc.asyncProperty(requests, async (request) => {
    const answer = await send(request);
    tally.requests++;
    countAnswer(tally, answer.status);
    tally.slowestMs = Math.max(tally.slowestMs, answer.ms);
    const fault = judge(answer, request);
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

/** Adds tallies with the same name up. */
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
