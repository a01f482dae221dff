import type { Student } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { RawAnswer, RawClient, RawRequest } from "./raw-client.ts";

export type Send = (request: RawRequest) => Promise<RawAnswer>;

/** Sends with a person's session, and logs in again if a call has ended it. */
export function sendAs(client: RawClient, visitor: ApiClient, person: Student): Send {
  return async (request) => {
    const answer = await client.send(request, visitor.cookieHeader);
    if (answer.headers["set-cookie"]) await visitor.post("/api/v1/users/login", person);
    return answer;
  };
}
