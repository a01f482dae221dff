import { randomInt, randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { transact } from "#db/transaction.ts";
import { insertAccount, type NewAccount } from "#server/accounts/accounts.queries.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { mailsTo } from "./mails.ts";

export interface Student {
  fullName: string;
  email: string;
  phone: string;
  password: string;
}

const FIRST_NAMES =
  "Aarav Bhavna Chirag Divya Eshan Farida Gurpreet Harini Imran Jyoti Kabir Lata Manoj Nandini Omkar Pooja Rahul Sunita Tarun Zoya".split(
    " ",
  );
const LAST_NAMES =
  "Agarwal Bose Chawla Deshmukh Fernandes Gill Hegde Iyer Joshi Khan Lobo Mehra Naidu Oberoi Pillai Qureshi Reddy Saxena Thakur".split(
    " ",
  );
const PASSWORD = "correct horse battery";
let people = 0;

/** A different name for each of the first 380 people, so that no test passes because of a namesake. */
function nextName(): string {
  const person = people++;
  // 20 and 19 are coprime, so no pair repeats within 380 people.
  return `${FIRST_NAMES[person % FIRST_NAMES.length]} ${LAST_NAMES[person % LAST_NAMES.length]}`;
}

/** A new student with a unique name. */
export function newStudent(): Student {
  const digits = String(randomInt(1_000_000_000)).padStart(9, "0");
  return {
    fullName: nextName(),
    email: `student${digits}@college.example`,
    phone: `9${digits}`,
    password: PASSWORD,
  };
}

/** The six digits in the newest mail with a code to this address. */
export async function newestCode(store: TestStore, email: string): Promise<string> {
  for (const mail of await mailsTo(store, email)) {
    const code = /\b\d{6}\b/.exec(mail.text)?.[0];
    if (code) return code;
  }
  throw new Error(`No mail with a code to ${email}`);
}

export async function register(visitor: ApiClient, student: Student) {
  return visitor.post("/api/v1/users/register", { ...student, confirmpassword: student.password });
}

/** A student with a verified account who has logged in, with the visitor that holds the session. */
export async function signedInStudent(store: TestStore): Promise<{ visitor: ApiClient; student: Student }> {
  const student = newStudent();
  await insertStudent(store, student);
  return { visitor: await visitorAs(store, student), student };
}

/** Each login verifies it, so it costs less than one by the store. */
let passwordHash: Promise<string> | undefined;

/** The hash of the password of every student who has not signed up. */
export function cheapHash(): Promise<string> {
  passwordHash ??= hash(PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 });
  return passwordHash;
}

/** Writes the account that sign-up and verification would leave, without their hashing and mail. */
async function insertStudent(
  store: TestStore,
  { password: _sameForAll, ...student }: Student,
): Promise<void> {
  const now = store.deps.now().toISOString();
  const account: NewAccount = {
    ...student,
    id: randomUUID(),
    passwordHash: await cheapHash(),
    role: "customer",
    verifiedAt: now,
    termsAcceptedAt: null,
    createdAt: now,
  };
  await transact(store.deps.db, (trx) => insertAccount(trx, account));
}

/**
 * A student who has signed up, entered the mailed code and logged in. `readCode` reads the code mailed to an address, by
 * default from the outbox.
 */
export async function signedUpStudent(
  store: TestStore,
  readCode = (email: string) => newestCode(store, email),
): Promise<{ visitor: ApiClient; student: Student }> {
  const visitor = store.visitor();
  const student = newStudent();
  await register(visitor, student);
  const verifyCode = await readCode(student.email);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  await logIn(visitor, student);
  return { visitor, student };
}

type Login = Pick<Student, "email" | "password">;

export async function logIn(visitor: ApiClient, login: Login): Promise<void> {
  const { status } = await visitor.post("/api/v1/users/login", login);
  if (status !== 200) throw new Error(`Login answered ${status}`);
}

/** A new visitor who has logged in as this person. */
export async function visitorAs(server: Pick<TestStore, "visitor">, login: Login): Promise<ApiClient> {
  const visitor = server.visitor();
  await logIn(visitor, login);
  return visitor;
}

export async function isSignedIn(visitor: ApiClient): Promise<boolean> {
  return (await visitor.get("/api/v1/users/getuser")).status === 200;
}
