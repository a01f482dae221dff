import type { ApiAnswer } from "../setup/api-client.ts";

/** Makes this many calls at the same time. */
export function together<Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** Counts the answers by status, for example `{ 200: 1, 409: 19 }`. */
export function statusesOf(answers: ApiAnswer[]): Record<number, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
}

/** The distinct error messages, from either transport. */
export function refusalsOf(answers: ApiAnswer[]): string[] {
  const refused = answers.filter(({ status }) => status >= 400);
  return [...new Set(refused.map(({ body }) => body.error?.message ?? body.message))];
}
