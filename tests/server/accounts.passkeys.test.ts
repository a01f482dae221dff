import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { deleteExpiredPending } from "#server/accounts/second-factor.queries.ts";
import { pseudonym } from "#server/lib/log.ts";
import { attestedBy } from "../factories/passkeys.attested.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { codeOf } from "../factories/shops.ts";
import { shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});

const resultOf = ({ body }: ApiAnswer) => body.result.data;
const here = () => ({ origin: store.url });
const challenge = async () => resultOf(await store.visitor().mutate("accounts.passkeyChallenge"));
const logIn = (passkey: unknown, visitor = store.visitor()) =>
  visitor.mutate("accounts.loginWithPasskey", { passkey });

async function addKey(visitor: ApiClient, key = new SoftwareKey(), name = "Office PC") {
  const options = resultOf(await visitor.mutate("accounts.startPasskey"));
  const answer = await visitor.mutate("accounts.addPasskey", { name, passkey: key.create(options, here()) });
  return { key, answer };
}

async function ownerWithKey() {
  const staff = await signedInOwner(store, [shopId]);
  const { key } = await addKey(staff.visitor);
  return { ...staff, key };
}

describe("a passkey", () => {
  test("logs in by itself, and is required after the password", async () => {
    const { person, key } = await ownerWithKey();
    const visitor = store.visitor();
    expect((await visitor.post("/api/v1/users/login", person)).body.code).toBe("SECOND_FACTOR_REQUIRED");
    const answer = await logIn(key.get(await challenge(), here()), visitor);
    expect(resultOf(answer)).toMatchObject({ email: person.email, role: "owner" });
    // After a logout the next person at this computer would be asked for this one's code.
    expect(visitor.cookie("pending-login")).toBe("");
    expect((await visitor.query("staff.myShops")).status).toBe(200);
    expect((await visitor.mutate("accounts.newRecoveryCodes")).status).toBe(200);
  });

  test("after the password opens the session of a shared computer if that is what the person said", async () => {
    const { person, key } = await ownerWithKey();
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/login", { ...person, isSharedComputer: true });
    const { headers } = await logIn(key.get(await challenge(), here()), visitor);
    const cookie = headers.getSetCookie().find((one) => one.startsWith("session="));
    expect(cookie).not.toContain("Expires");
    const other = await logIn(key.get(await challenge(), { ...here(), counter: 2 }), visitor);
    expect(other.headers.getSetCookie().join()).toMatch(/session=\w+;.*Expires/);
  });

  test("that comes too late after the password opens no session, which would not be that of a shared computer", async () => {
    const { person, key } = await ownerWithKey();
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/login", { ...person, isSharedComputer: true });
    const second = async (counter: number) => ({
      passkey: key.get(await challenge(), { ...here(), counter }),
      isSecondStep: true,
    });
    store.clock.advance({ minutes: 10 });
    const late = await visitor.mutate("accounts.loginWithPasskey", await second(1));
    expect([codeOf(late), late.headers.getSetCookie().join()]).toEqual([
      "GONE",
      expect.not.stringContaining("session="),
    ]);
    await visitor.post("/api/v1/users/login", person);
    expect((await visitor.mutate("accounts.loginWithPasskey", await second(2))).status).toBe(200);
  });

  test("confirms the identity of its owner, and of nobody else", async () => {
    const [one, other] = [await ownerWithKey(), await ownerWithKey()];
    store.clock.advance({ minutes: 10 });
    const confirm = async (key: SoftwareKey) =>
      one.visitor.mutate("accounts.confirm", { passkey: key.get(await challenge(), here()) });
    expect(codeOf(await confirm(other.key))).toBe("INVALID_INPUT");
    expect(codeOf(await one.visitor.mutate("accounts.newRecoveryCodes"))).toBe("CONFIRMATION_REQUIRED");
    expect((await confirm(one.key)).status).toBe(200);
    expect((await one.visitor.mutate("accounts.newRecoveryCodes")).status).toBe(200);
  });

  test("is accepted once per challenge, within 10 minutes, and only for a challenge of the server", async () => {
    const { key } = await ownerWithKey();
    const used = key.get(await challenge(), { ...here(), counter: 1 });
    expect((await logIn(used)).status).toBe(200);
    expect(codeOf(await logIn(used))).toBe("INVALID_INPUT");
    const intime = key.get(await challenge(), { ...here(), counter: 2 });
    const late = key.get(await challenge(), { ...here(), counter: 3 });
    store.clock.advance({ minutes: 10, ms: -1 });
    await deleteExpiredPending(store.deps.db, store.clock.now().toISOString());
    expect((await logIn(intime)).status).toBe(200);
    store.clock.advance({ ms: 1 });
    expect(codeOf(await logIn(late))).toBe("INVALID_INPUT");
    const made = key.get({ challenge: "bWFkZSB1cA", rpId: "127.0.0.1" }, { ...here(), counter: 4 });
    expect(codeOf(await logIn(made))).toBe("INVALID_INPUT");
  });

  test("is refused from another origin, without user verification, with an old counter or with another key, each time with a line in the security log", async () => {
    const { key, person } = await ownerWithKey();
    const warned = vi.spyOn(store.deps.log, "warn");
    onTestFinished(() => warned.mockRestore());
    expect((await logIn(key.get(await challenge(), { ...here(), counter: 7 }))).status).toBe(200);
    const elsewhere = { origin: "https://evil.example", counter: 8 };
    expect(codeOf(await logIn(key.get(await challenge(), elsewhere)))).toBe("INVALID_INPUT");
    const found = { ...here(), isVerified: false, counter: 9 };
    expect(codeOf(await logIn(key.get(await challenge(), found)))).toBe("INVALID_INPUT");
    expect(codeOf(await logIn(key.get(await challenge(), { ...here(), counter: 7 })))).toBe("INVALID_INPUT");
    const other = new SoftwareKey().get(await challenge(), { ...here(), counter: 10 });
    const id = key.id.toString("base64url");
    expect(codeOf(await logIn({ ...other, id, rawId: id }))).toBe("INVALID_INPUT");
    const accountRef = pseudonym(store.deps.keyring, person.email);
    const failed = { event: "auth.login.failed", way: "passkey", accountRef };
    expect(warned.mock.calls.map(([line]) => line)).toEqual(Array(4).fill(expect.objectContaining(failed)));
  });

  test("is accepted once with each counter, even if a copy of it answers at the same moment", async () => {
    const { key } = await ownerWithKey();
    const answer = async () => key.get(await challenge(), { ...here(), counter: 1 });
    const both = [await answer(), await answer()];
    const answers = await Promise.all(both.map((passkey) => logIn(passkey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("is registered with the user's own challenge, and only once", async () => {
    const [one, other] = [await signedInOwner(store, [shopId]), await signedInOwner(store, [shopId])];
    const options = resultOf(await one.visitor.mutate("accounts.startPasskey"));
    const stolen = { name: "Mine", passkey: new SoftwareKey().create(options, here()) };
    expect(codeOf(await other.visitor.mutate("accounts.addPasskey", stolen))).toBe("INVALID_INPUT");
    const unverified = new SoftwareKey().create(resultOf(await one.visitor.mutate("accounts.startPasskey")), {
      ...here(),
      isVerified: false,
    });
    expect(codeOf(await one.visitor.mutate("accounts.addPasskey", { name: "PC", passkey: unverified }))).toBe(
      "INVALID_INPUT",
    );
    const { key } = await addKey(one.visitor);
    expect(codeOf((await addKey(other.visitor, key)).answer)).toBe("CONFLICT");
  });

  test("that comes with certificates is refused, and nobody asks at the addresses that they name", async () => {
    let asked = 0;
    const inside = createServer((_, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((listening) => inside.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void inside.close());
    const { visitor } = await signedInOwner(store, [shopId]);
    const options = resultOf(await visitor.mutate("accounts.startPasskey"));
    const attestation = attestedBy(`http://127.0.0.1:${(inside.address() as AddressInfo).port}/`);
    const passkey = new SoftwareKey().create(options, here(), attestation);
    expect(codeOf(await visitor.mutate("accounts.addPasskey", { name: "Phone", passkey }))).toBe(
      "INVALID_INPUT",
    );
    expect(asked).toBe(0);
  });

  test("has a name and its last use, can be one of several, and cannot log in after removal", async () => {
    const { visitor, key } = await ownerWithKey();
    const addedAt = store.clock.now().toISOString();
    store.clock.advance({ seconds: 1 });
    const { key: second, answer } = await addKey(visitor, new SoftwareKey(), "My phone");
    // The recovery codes that came with the first one stay valid.
    expect(resultOf(answer)).toEqual({ recoveryCodes: null, user: null });
    const usedAt = store.clock.now().toISOString();
    expect((await logIn(second.get(await challenge(), { ...here(), counter: 1 }))).status).toBe(200);
    const known = [
      { name: "Office PC", createdAt: addedAt, lastUsedAt: null },
      { name: "My phone", createdAt: usedAt, lastUsedAt: usedAt },
    ];
    const { passkeys, recoveryCodesLeft } = resultOf(await visitor.query("accounts.secondFactors"));
    expect(passkeys).toMatchObject(known);
    expect(recoveryCodesLeft).toBe(10);
    expect((await visitor.get("/my-data")).body.account.secondFactors).toEqual({
      authenticatorAppSince: null,
      passkeys: known,
      recoveryCodesLeft: 10,
    });
    await visitor.mutate("accounts.removePasskey", { id: key.id.toString("base64url") });
    expect(codeOf(await logIn(key.get(await challenge(), here())))).toBe("INVALID_INPUT");
    expect((await logIn(second.get(await challenge(), { ...here(), counter: 2 }))).status).toBe(200);
    expect(resultOf(await visitor.query("accounts.secondFactors")).recoveryCodesLeft).toBe(10);
  });

  test("can be one of ten, and is not offered to a device that has one already", async () => {
    const { visitor, userId, key } = await ownerWithKey();
    const rows = Array.from({ length: 8 }, (_, index) => ({
      id: `${userId}-${index}`,
      user_id: userId,
      name: `Key ${index}`,
      public_key: "none",
      counter: "0",
      transports: "[]",
      created_at: store.clock.now().toISOString(),
      last_used_at: null,
    }));
    await store.deps.db.insertInto("passkeys").values(rows).execute();
    const options = resultOf(await visitor.mutate("accounts.startPasskey"));
    expect(options.excludeCredentials).toHaveLength(9);
    expect(options.excludeCredentials).toContainEqual(
      expect.objectContaining({ id: key.id.toString("base64url") }),
    );
    // A key without a PIN would be created, and then refused.
    expect(options.authenticatorSelection).toMatchObject({
      residentKey: "required",
      userVerification: "required",
    });
    expect((await challenge()).userVerification).toBe("required");
    expect((await addKey(visitor)).answer.status).toBe(200);
    const full = "You have 10 passkeys. Please remove one first";
    expect((await visitor.mutate("accounts.startPasskey")).body.error.message).toBe(full);
    const begunBefore = { name: "PC", passkey: new SoftwareKey().create(options, here()) };
    const eleventh = await visitor.mutate("accounts.addPasskey", begunBefore);
    expect(eleventh.body.error?.message).toBe(full);
  });

  test("cannot be removed by another user", async () => {
    const { key } = await ownerWithKey();
    const { visitor } = await signedInAdmin(store);
    const answer = await visitor.mutate("accounts.removePasskey", { id: key.id.toString("base64url") });
    expect(codeOf(answer)).toBe("NOT_FOUND");
    expect((await logIn(key.get(await challenge(), here()))).status).toBe(200);
    // PostgreSQL takes no NUL.
    expect(codeOf(await visitor.mutate("accounts.removePasskey", { id: "\0" }))).toBe("INVALID_INPUT");
  });
});
