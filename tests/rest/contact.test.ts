import { describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { testStore } from "../setup/test-store.ts";

const ADMIN = "admin@shop.example";
const store = testStore({ ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: "admin password" });

describe("POST /users/contactus", () => {
  const message = {
    fullName: "Ravi",
    email: "ravi@college.example",
    subject: "Timing",
    message: "Open on Sunday?",
  };

  test("stores the message and mails it to the admin, with the sender as reply address", async () => {
    const answer = await store.visitor().post("/api/v1/users/contactus", message);
    expect(answer.body.success).toBe(true);
    const [mail] = await mailsTo(store, ADMIN);
    expect(mail?.reply_to).toBe("ravi@college.example");
    for (const entered of Object.values(message)) expect(mail?.text).toContain(entered);
    const rows = await store.deps.readDb.selectFrom("contact_messages").selectAll().execute();
    expect(rows).toMatchObject([
      {
        full_name: "Ravi",
        email: "ravi@college.example",
        subject: "Timing",
        message: "Open on Sunday?",
      },
    ]);
  });

  test("accepts a message without a subject", async () => {
    const { subject: _, ...rest } = message;
    expect((await store.visitor().post("/api/v1/users/contactus", rest)).status).toBe(200);
  });

  test.each(["fullName", "email", "message"])("refuses a message without %s", async (field) => {
    const answer = await store.visitor().post("/api/v1/users/contactus", { ...message, [field]: "" });
    expect([answer.status, answer.body.issues[0].path]).toEqual([422, field]);
  });
});
