import { expect, onTestFinished, test, vi } from "vitest";
import { isSignedIn, logIn, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

const PHONE = "Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36";

/** A student at their own computer who is also logged in on a phone. */
async function studentOnTwoDevices() {
  const { visitor, student } = await signedInStudent(store);
  const phone = store.visitor();
  const { status } = await phone.post("/api/v1/users/login", student, { "User-Agent": PHONE });
  expect(status).toBe(200);
  return { visitor, phone, student };
}

async function devicesOf(visitor: ApiClient) {
  return (await visitor.query("accounts.devices")).body.result.data;
}

test("a user sees the devices they are logged in on, the current one first, without any token", async () => {
  const { visitor, phone } = await studentOnTwoDevices();
  const at = store.deps.now().toISOString();

  const devices = await devicesOf(visitor);
  expect(devices).toEqual([
    { id: expect.any(String), name: "", signedInAt: at, lastSeenAt: at, isThis: true },
    { id: expect.any(String), name: "Chrome on Android", signedInAt: at, lastSeenAt: at, isThis: false },
  ]);
  expect((await devicesOf(phone))[0]).toMatchObject({ name: "Chrome on Android", isThis: true });

  const stored = await store.deps.readDb.selectFrom("sessions").select("id").execute();
  const token = visitor.cookie("session");
  for (const secret of [token, ...stored.map(({ id }) => id)]) {
    expect(JSON.stringify(devices)).not.toContain(secret);
  }
});

test("a user has at most a hundred sessions: a further login ends the one that was unused longest", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { body } = await visitor.get("/api/v1/users/getuser");
  store.clock.advance({ seconds: 1 });
  const idle = await visitorAs(store, student);
  for (let others = 2; others < 100; others++) {
    store.clock.advance({ seconds: 1 });
    await store.deps.sessions.create(body.data, "", { isConfirmed: false, isShared: false });
  }
  store.clock.advance({ minutes: 5 });
  expect(await devicesOf(visitor)).toHaveLength(100);
  const phone = await visitorAs(store, student);
  expect(await devicesOf(phone)).toHaveLength(100);
  expect(await Promise.all([visitor, idle].map(isSignedIn))).toEqual([true, false]);
});

test("the time a device was last seen is updated at most every 5 minutes, that of its login never", async () => {
  const { visitor } = await signedInStudent(store);
  const [{ lastSeenAt: start }] = await devicesOf(visitor);
  store.clock.advance({ minutes: 4, seconds: 59 });
  await visitor.get("/api/v1/users/getuser");
  expect((await devicesOf(visitor))[0].lastSeenAt).toBe(start);
  store.clock.advance({ seconds: 1 });
  await visitor.get("/api/v1/users/getuser");
  expect((await devicesOf(visitor))[0]).toMatchObject({
    signedInAt: start,
    lastSeenAt: store.deps.now().toISOString(),
  });
});

test("the devices after the current one are listed by their last use", async () => {
  const { visitor, student } = await signedInStudent(store);
  const others = [store.visitor(), store.visitor(), store.visitor()];
  for (const other of others) await logIn(other, student);
  const used: string[] = [];
  for (const index of [1, 2, 0]) {
    store.clock.advance({ minutes: 5 });
    await others[index]?.get("/api/v1/users/getuser");
    used.unshift(store.clock.now().toISOString());
  }
  const [own, ...rest] = await devicesOf(visitor);
  expect(own.isThis).toBe(true);
  expect(rest.map(({ lastSeenAt }: { lastSeenAt: string }) => lastSeenAt)).toEqual(used);
});

test("an expired session is not listed as a device", async () => {
  // Lucia reads the machine's clock, so it is moved together with the store's.
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = new Date();
  const at = (days: number, ms = 0) => {
    store.clock.set(new Date(start.getTime() + days * 24 * 60 * 60_000 + ms));
    vi.setSystemTime(store.clock.now());
  };
  onTestFinished(() => {
    vi.useRealTimers();
    store.clock.set(new Date());
  });
  at(0);
  const { phone, student } = await studentOnTwoDevices();
  at(29);
  const later = await visitorAs(store, student);
  at(30, -1);
  expect(await devicesOf(later)).toHaveLength(3);
  at(30);
  expect(await devicesOf(later)).toMatchObject([{ isThis: true }]);
  expect([await isSignedIn(later), await isSignedIn(phone)]).toEqual([true, false]);
});

test("logging out one device ends its session only", async () => {
  const { visitor, phone } = await studentOnTwoDevices();
  const [, other] = await devicesOf(visitor);
  expect((await visitor.mutate("accounts.endDevice", { id: other.id })).status).toBe(200);
  expect(await isSignedIn(phone)).toBe(false);
  expect(await isSignedIn(visitor)).toBe(true);

  const again = await visitor.mutate("accounts.endDevice", { id: other.id });
  expect(again.body.error).toMatchObject({
    message: "This device is already logged out",
    data: { appCode: "NOT_FOUND" },
  });
});

test("logging out all other devices keeps the current one", async () => {
  const { visitor, phone, student } = await studentOnTwoDevices();
  const third = await visitorAs(store, student);
  await visitor.mutate("accounts.endOtherDevices");
  expect(await Promise.all([visitor, phone, third].map(isSignedIn))).toEqual([true, false, false]);
  expect(await devicesOf(visitor)).toHaveLength(1);
});

test("other people's devices can be neither seen nor logged out", async () => {
  const { visitor } = await studentOnTwoDevices();
  const { visitor: stranger } = await signedInStudent(store);
  const [{ id }] = await devicesOf(visitor);
  expect(await devicesOf(stranger)).toHaveLength(1);
  expect((await stranger.mutate("accounts.endDevice", { id })).status).toBe(404);
  await stranger.mutate("accounts.endOtherDevices");
  expect(await isSignedIn(visitor)).toBe(true);
});
