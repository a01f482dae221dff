import type { Role } from "#shared/schemas/accounts.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { mailsTo } from "./mails.ts";
import { expectDone } from "./shops.ts";
import { logIn, type Student, signedInStudent } from "./students.ts";

/** A logged-in staff member. */
export interface StaffPerson {
  visitor: ApiClient;
  person: Student;
  userId: string;
}

/** A logged-in admin. */
export function signedInAdmin(store: TestStore): Promise<StaffPerson> {
  return signedInAs(store, "admin");
}

/** A logged-in owner of these shops. */
export function signedInOwner(store: TestStore, shopIds: string[]): Promise<StaffPerson> {
  return signedInAt(store, "owner", shopIds);
}

/** Logged-in counter staff of these shops. */
export function signedInCounter(store: TestStore, shopIds: string[]): Promise<StaffPerson> {
  return signedInAt(store, "counter", shopIds);
}

async function signedInAt(store: TestStore, role: Role, shopIds: string[]): Promise<StaffPerson> {
  const staff = await signedInAs(store, role);
  for (const shopId of shopIds) {
    await store.deps.db
      .insertInto("shop_staff")
      .values({ user_id: staff.userId, shop_id: shopId, created_at: store.deps.now().toISOString() })
      .execute();
  }
  return staff;
}

/** Changes somebody's role and shops from what `staff` sees of them now. */
export async function changeStaff(
  staff: ApiClient,
  userId: string,
  assigned: { role: string; shopIds: (string | undefined)[] },
): Promise<ApiAnswer> {
  const { people } = expectDone(await staff.query("staff.list"));
  const { role, shops } = people.find(({ _id }: { _id: string }) => _id === userId);
  const base = { role, shopIds: shops.map(({ id }: { id: string }) => id) };
  return staff.mutate("staff.change", { userId, ...assigned, base });
}

/** The ids of the demo shops, sorted by name. */
export async function shopIds(store: TestStore): Promise<[string, string, ...string[]]> {
  const rows = await store.deps.readDb.selectFrom("shops").select("id").orderBy("name").execute();
  const [first, second, ...rest] = rows.map(({ id }) => id);
  if (!first || !second) throw new Error("The store has fewer than two shops");
  return [first, second, ...rest];
}

async function signedInAs(store: TestStore, role: Role): Promise<StaffPerson> {
  const { visitor, student } = await signedInStudent(store);
  const { id: userId } = await store.deps.db
    .updateTable("users")
    .set({ role })
    .where("email", "=", student.email)
    .returning("id")
    .executeTakeFirstOrThrow();
  return { visitor, person: student, userId };
}

/** The token of the newest invitation mailed to this address. */
export async function invitationToken(store: TestStore, email: string): Promise<string> {
  for (const mail of await mailsTo(store, email)) {
    const token = /\/admin\/join\?token=([\w-]+)/.exec(mail.text)?.[1];
    if (token) return token;
  }
  throw new Error(`No invitation was mailed to ${email}`);
}

/** Logs staff in again, for a test that moves the clock past the end of their sessions. */
export async function logInAgain(...staff: StaffPerson[]): Promise<void> {
  for (const { visitor, person } of staff) await logIn(visitor, person);
}
