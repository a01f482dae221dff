import { expect, test } from "vitest";
import { orderFor } from "../factories/orders.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

test("a one-character password is accepted: the specification only requires one", async () => {
  const visitor = store.visitor();
  const student = { ...newStudent(), password: "x" };
  expect((await register(visitor, student)).status).toBe(200);
  const verifyCode = await newestCode(store, student.email);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  expect((await visitor.post("/api/v1/users/login", student)).status).toBe(200);
});

test("an optional text may be left out or null", async () => {
  const { visitor } = await signedInStudent(store);
  const [shop] = (await visitor.get("/api/v1/prints/shopslocation")).body.data;
  for (const texts of [{ message: undefined }, { message: null, userEmail: null, shopContactNumber: null }]) {
    const order = await orderFor(visitor, { shopId: shop._id });
    const orderData = { ...order.orderData, ...texts };
    const answer = await visitor.post("/api/v1/prints/printorder", { ...order, orderData });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
  }
});
