import { beforeEach, expect, test } from "vitest";
import type { SavedAddress } from "#shared/schemas/addresses.ts";
import { ADDRESS } from "../factories/orders.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

let visitor: ApiClient;
beforeEach(async () => {
  visitor = (await signedInStudent(store)).visitor;
});

const HOME = { ...ADDRESS, flatno: "House 7", fullname: "R. Verma" };

async function save(address: object, client = visitor): Promise<SavedAddress> {
  store.clock.advance({ seconds: 1 });
  const { status, body } = await client.mutate("addresses.add", { address });
  expect(status).toBe(200);
  return body.result.data;
}

async function saved(client = visitor): Promise<SavedAddress[]> {
  return (await client.query("addresses.list")).body.result.data;
}

/** Flat numbers; the default's has a star. */
async function flats(): Promise<string[]> {
  return (await saved()).map(({ flatno, isDefault }) => (isDefault ? `*${flatno}` : flatno));
}

test("the first address is the default, the others follow, newest first", async () => {
  expect(await saved()).toEqual([]);
  const first = await save(ADDRESS);
  expect(await saved()).toEqual([{ id: first.id, isDefault: true, ...ADDRESS }]);
  await save({ ...ADDRESS, flatno: "2" });
  await save({ ...ADDRESS, flatno: "3" });
  expect(await flats()).toEqual([`*${ADDRESS.flatno}`, "3", "2"]);
});

test("another address can become the default, and there is only one for each user", async () => {
  const first = await save(ADDRESS);
  const home = await save(HOME);
  const { visitor: other } = await signedInStudent(store);
  await save(ADDRESS, other);
  expect((await visitor.mutate("addresses.makeDefault", { id: home.id })).status).toBe(200);
  expect(await flats()).toEqual(["*House 7", ADDRESS.flatno]);
  await visitor.mutate("addresses.makeDefault", { id: first.id });
  expect(await flats()).toEqual([`*${ADDRESS.flatno}`, "House 7"]);
  expect(await saved(other)).toMatchObject([{ isDefault: true }]);
});

test("deleting the default makes the newest other address the default", async () => {
  const first = await save(ADDRESS);
  const second = await save({ ...ADDRESS, flatno: "2" });
  const third = await save({ ...ADDRESS, flatno: "3" });
  await visitor.mutate("addresses.remove", { id: first.id });
  expect(await flats()).toEqual(["*3", "2"]);
  await visitor.mutate("addresses.remove", { id: second.id });
  expect(await flats()).toEqual(["*3"]);
  await visitor.mutate("addresses.remove", { id: third.id });
  expect(await saved()).toEqual([]);
});

test("an edited address keeps its position, and the others stay as they are", async () => {
  const first = await save(ADDRESS);
  const { id } = await save({ ...ADDRESS, flatno: "2" });
  const last = await save({ ...ADDRESS, flatno: "3" });
  await visitor.mutate("addresses.update", { id, address: HOME });
  expect(await saved()).toEqual([first, last, { id, isDefault: false, ...HOME }]);
});

test("addresses saved in the same moment are always listed in the same order", async () => {
  const add = (flatno: string) => visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno } });
  for (const flatno of "123456789") await add(flatno);
  const [, ...others] = (await saved()).map(({ id }) => id);
  expect(others).toEqual(others.toSorted());
});

test("the same address is stored once, one that differs in any line beside it", async () => {
  const first = await save(ADDRESS);
  expect(await save(ADDRESS)).toEqual(first);
  expect(await saved()).toHaveLength(1);
  const others = Object.keys(ADDRESS).map((line) => ({ ...ADDRESS, [line]: "Another" }));
  for (const other of others) await save(other);
  expect(await saved()).toMatchObject([ADDRESS, ...others.toReversed()]);
});

test("all four fields are required", async () => {
  const { status, body } = await visitor.mutate("addresses.add", { address: { ...ADDRESS, roadNo: " " } });
  expect([status, body.error.message]).toEqual([422, "Road number is required"]);
});

test("at most ten addresses are stored, even if they are saved at once", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno: String(index) } }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error.message])).toEqual(
    Array(2).fill([409, "You can save up to 10 addresses. Please delete one first"]),
  );
  const rows = await saved();
  expect([rows.length, rows.filter(({ isDefault }) => isDefault).length]).toEqual([10, 1]);
});

test("another user can neither see nor change them", async () => {
  const { id } = await save(ADDRESS);
  const { visitor: stranger } = await signedInStudent(store);
  const own = await save(HOME, stranger);
  for (const [procedure, input] of [
    ["addresses.update", { id, address: HOME }],
    ["addresses.remove", { id }],
    ["addresses.makeDefault", { id }],
  ] as const) {
    const { status, body } = await stranger.mutate(procedure, input);
    expect([procedure, status, body.error.message]).toEqual([procedure, 404, "This address was not found"]);
  }
  expect(await saved(stranger)).toEqual([own]);
  expect(await saved()).toEqual([{ id, isDefault: true, ...ADDRESS }]);
});
