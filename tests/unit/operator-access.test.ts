import { Hono } from "hono";
import { expect, test } from "vitest";
import type { Actor, Context, Deps } from "#server/context.ts";
import { type Env, isOperator } from "#server/http/request-context.ts";

interface Asking {
  /** Address of the socket. */
  from?: string;
  host?: string;
  headers?: Record<string, string>;
  publicUrl?: string;
  isProduction?: boolean;
  actor?: unknown;
}

/** Whether this request, by default a guest's on the store's own machine, is an operator's. */
async function isAllowed(asking: Asking): Promise<boolean> {
  const { from = "127.0.0.1", host = "localhost:8080", headers = {}, isProduction = false } = asking;
  const { publicUrl = "http://localhost:8080", actor = { kind: "guest" } } = asking;
  const deps = { config: { isProduction }, publicUrl: () => publicUrl } as Pick<Deps, "config" | "publicUrl">;
  const contextOf = async () => ({ actor: actor as Actor }) as Context;
  const app = new Hono<Env>();
  app.get("/", async (c) => c.json(await isOperator(c, deps, contextOf)));
  const env = { incoming: { socket: { remoteAddress: from, remotePort: 40_000 } } };
  return (await app.request("/", { headers: { host, ...headers } }, env)).json();
}

test.each<Asking>([
  {},
  { from: "::1" },
  { from: "::ffff:127.0.0.1" },
  { from: "127.10.20.30" },
  { host: "127.0.0.1" },
  { host: "127.10.20.30:8080", publicUrl: "http://127.0.0.1:8080" },
  { host: "[::1]:8080", publicUrl: "http://[::1]:8080" },
  { headers: { "x-via-lift": "1", "not-forwarded": "1", "forwarded-by": "1" } },
])("outside production anyone on the store's own machine is an operator: %j", async (asking) => {
  expect(await isAllowed(asking)).toBe(true);
  expect(await isAllowed({ ...asking, isProduction: true })).toBe(false);
});

test.each<Asking>([
  { from: "192.0.2.1" },
  { from: "2001:db8::127.0.0.1" },
  { from: "" },
  // A page on another name that resolves to this machine.
  { host: "evil.example" },
  { host: "127.0.0.1.evil.example" },
  { host: "127.evil.example" },
  { host: "localhost.evil.example" },
  { host: "" },
  { host: "a b" },
  { host: "128.0.0.1" },
  { publicUrl: "https://print.example" },
  { headers: { "X-Forwarded-For": "192.0.2.1" } },
  { headers: { "X-Forwarded-Host": "print.example" } },
  { headers: { Forwarded: "for=192.0.2.1" } },
  { headers: { "X-Real-IP": "192.0.2.1" } },
  { headers: { Via: "1.1 proxy" } },
])("nobody who may be on another machine is an operator: %j", async (asking) => {
  expect(await isAllowed(asking)).toBe(false);
});

test("an admin is an operator from anywhere, other people are not", async () => {
  const from = "192.0.2.1";
  for (const isProduction of [false, true]) {
    const asking = { from, isProduction };
    const allowed = (kind: string, role: string) =>
      isAllowed({ ...asking, actor: { kind, user: { _id: "1", role } } });
    expect(await allowed("user", "admin")).toBe(true);
    expect(await allowed("user", "owner")).toBe(false);
    expect(await allowed("visitor", "visitor")).toBe(false);
    expect(await isAllowed(asking)).toBe(false);
  }
});
