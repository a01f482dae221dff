import type { Insertable } from "kysely";
import type { UserTable } from "#db/schema.ts";
import type { KnownStudent } from "#server/orders/board/search-words.ts";
import type { Role } from "#shared/schemas/accounts.ts";
import type { Dice } from "./dice.ts";
import { LOAD_ADMIN } from "./rows.ts";

export type Person = Insertable<UserTable>;

/** The most frequent ones first. */
const FIRST_NAMES =
  "Priya Rahul Ananya Rohan Sneha Arjun Pooja Aditya Kavya Vikram Divya Karthik Neha Siddharth Meera Amit Ishita Harsh Shreya Nikhil Aishwarya Varun Ritika Manish Lakshmi Gaurav Tanvi Suresh Nandini Deepak Zoya Imran Fatima Joseph Mary Gurpreet Simran Harpreet Tenzin Lalrinpuia".split(
    " ",
  );
const SURNAMES =
  "Kumar Sharma Singh Reddy Patel Gupta Nair Verma Iyer Das Yadav Rao Joshi Mehta Banerjee Khan Pillai Chauhan Mishra Ghosh Desai Kulkarni Menon Bhat Shetty Chatterjee Thomas Kaur Ansari Naidu Hegde Sinha Dutta Fernandes Bora Wangchuk Zothanpuia Kharkongor Oommen Quadri".split(
    " ",
  );
const COLLEGES = ["iitkgp", "vit", "du", "bits", "annauniv", "coep", "lpu", "iisc"];

/** Indian mobile numbers begin with 6 to 9; stepping by a prime makes them unique. */
const FIRST_PHONE = 6_000_000_000;
const PHONES = 4_000_000_000;
const PHONE_STEP = 104_729_027;

/** The words by which their orders are found. */
export function knownStudent({ full_name: fullName, phone, email }: Person): KnownStudent {
  return { fullName, phone: phone ?? "", email };
}

export interface People {
  admin: Person;
  owners: Person[];
  students: Person[];
}

/** @param passwordHash of the password that they all share */
export function makePeople(
  dice: Dice,
  counts: { owners: number; students: number },
  { passwordHash, since }: { passwordHash: string; since: Date },
): People {
  let made = 0;
  const person = (role: Role, fullName: string, email: string): Person => ({
    id: dice.id(),
    email,
    phone: String(FIRST_PHONE + ((++made * PHONE_STEP) % PHONES)),
    full_name: fullName,
    password_hash: passwordHash,
    role,
    verified_at: since.toISOString(),
    terms_accepted_at: since.toISOString(),
    created_at: since.toISOString(),
  });
  const several = (role: Role, count: number, host: () => string) =>
    Array.from({ length: count }, (_, index) => {
      const first = dice.favour(FIRST_NAMES);
      const last = dice.favour(SURNAMES);
      const mailbox = `${first}.${last}${index + 1}`.toLowerCase();
      return person(role, `${first} ${last}`, `${mailbox}@${host()}.example`);
    });
  return {
    admin: person("admin", "Load Admin", LOAD_ADMIN),
    owners: several("owner", counts.owners, () => "shops"),
    students: several("customer", counts.students, () => dice.pick(COLLEGES)),
  };
}
