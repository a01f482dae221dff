import type { z } from "zod";
import type { ErrorCode } from "#shared/error-codes.ts";
import type { Procedure } from "#shared/permissions.ts";
import type { AppCaller } from "./router.ts";

type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What an adapter gets of a request. Its types are only claims: the procedure that it calls parses everything. */
export interface RestRequest<Body, Query> {
  body: Body;
  query: Query;
  /** The Idempotency-Key header. */
  idempotencyKey: string | undefined;
}

export interface RestRouteDefinition<Body, Query> {
  method: "get" | "post";
  /** Below /api/v1. */
  path: string;
  /** The one that `call` calls. */
  procedure: Procedure;
  tag: string;
  summary: string;
  body?: Body;
  query?: Query;
  /** Shape of `data` in the answer. */
  data: z.ZodType;
  /** `message` of a success. */
  message: string;
  /** Failures of its own, beside those that every call can have. */
  failures?: readonly ErrorCode[];
  call(caller: AppCaller, request: RestRequest<InputOf<Body>, InputOf<Query>>): Promise<unknown>;
}

export type RestRoute = RestRouteDefinition<z.ZodType | undefined, z.ZodType | undefined>;

/** One call of the REST contract: its documentation, and the procedure that answers it. */
export function restRoute<
  Body extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(definition: RestRouteDefinition<Body, Query>): RestRoute {
  return definition as unknown as RestRoute;
}
