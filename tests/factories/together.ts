import type { ApiAnswer } from "../setup/api-client.ts";

/** Makes so many calls at the same moment. */
export function together<Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/** How often each status was answered, such as `{ 200: 1, 409: 19 }`. */
export function statusesOf(answers: ApiAnswer[]): Record<number, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
}

/** The different messages of those that were refused, whichever transport they came by. */
export function refusalsOf(answers: ApiAnswer[]): string[] {
  const refused = answers.filter(({ status }) => status >= 400);
  return [...new Set(refused.map(({ body }) => body.error?.message ?? body.message))];
}
