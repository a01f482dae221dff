import { expect, test } from "vitest";
import { type TestStore, tempStore } from "../setup/test-store.ts";

let store: TestStore;

/** A store that allows two logins from each address. */
async function startBehind(proxies: string): Promise<void> {
  store = await tempStore({ SEED_DEMO: "false", RATE_LIMIT_SCALE: "0.001", TRUSTED_PROXIES: proxies });
}

/** The statuses of logins, each to another account, by their X-Forwarded-For. */
async function loginsFrom(...forwarded: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const [index, from] of forwarded.entries()) {
    const login = { email: `guess-${index}@college.example`, password: "guess" };
    const answer = await store.visitor().post("/api/v1/users/login", login, { "X-Forwarded-For": from });
    statuses.push(answer.status);
  }
  return statuses;
}

test("people behind a trusted proxy are told apart by their own addresses", async () => {
  await startBehind("127.0.0.1");
  expect(await loginsFrom("192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1", "192.0.2.2")).toEqual([
    401, 401, 401, 429, 401,
  ]);
});

test("forwarding headers of untrusted senders are ignored", async () => {
  await startBehind("203.0.113.1");
  expect(await loginsFrom("192.0.2.1", "192.0.2.2", "192.0.2.3")).toEqual([401, 401, 429]);
});

test("an address that the client put before the proxies' is ignored", async () => {
  await startBehind("127.0.0.1, 198.51.100.0/24");
  const chains = ["192.0.2.1", "9.9.9.1, 192.0.2.1", "9.9.9.2, 192.0.2.1, 198.51.100.7", "192.0.2.2"];
  expect(await loginsFrom(...chains)).toEqual([401, 401, 429, 401]);
});

test("an invalid address counts as the proxy's own", async () => {
  await startBehind("127.0.0.1");
  expect(await loginsFrom("unknown", "_hidden", "192.0.2.1:4000", "192.0.2.1")).toEqual([401, 401, 429, 401]);
});
