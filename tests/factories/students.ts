import { randomInt } from "node:crypto";
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
let people = 0;

/** Another name for each of the first 380 people, so that no test passes on the wrong person. */
function nextName(): string {
  const person = people++;
  // 20 and 19 have no common divisor: no pair comes twice before all have come.
  return `${FIRST_NAMES[person % FIRST_NAMES.length]} ${LAST_NAMES[person % LAST_NAMES.length]}`;
}

/** A student nobody has seen before, with a name of their own. */
export function newStudent(): Student {
  const digits = String(randomInt(1_000_000_000)).padStart(9, "0");
  return {
    fullName: nextName(),
    email: `student${digits}@college.example`,
    phone: `9${digits}`,
    password: "correct horse battery",
  };
}

/** The six digits in the newest mail of this kind. */
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

/**
 * A student who has signed up, verified and logged in, and the visitor that holds the session. `readCode` gives the code
 * that was mailed to an address: from the outbox, where no SMTP server has taken it.
 */
export async function signedInStudent(
  store: TestStore,
  readCode = (email: string) => newestCode(store, email),
): Promise<{ visitor: ApiClient; student: Student }> {
  const visitor = store.visitor();
  const student = newStudent();
  await register(visitor, student);
  const verifyCode = await readCode(student.email);
  await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  const { status } = await visitor.post("/api/v1/users/login", student);
  if (status !== 200) throw new Error(`Login answered ${status}`);
  return { visitor, student };
}
