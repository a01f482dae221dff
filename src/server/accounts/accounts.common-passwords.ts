import { STAFF_PASSWORD_CHARACTERS } from "#shared/schemas/staff-passwords.ts";

/** As many as OWASP asks for. The contract itself asks for no more than a password, so no further ones are refused. */
const REFUSED = 3000;

/** What this store is called, as people would try it first here. */
const OWN_WORDS = ["print store", "printstore", "print-store", "printnow", "printshop"];

interface CommonPasswords {
  refused: ReadonlySet<string>;
  /** Those of the whole list that are long enough for staff. */
  refusedToStaff: ReadonlySet<string>;
}

let loaded: Promise<CommonPasswords> | undefined;

/** Whether the password is among those that people choose most often, and that attackers therefore try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).refused.has(password.trim().toLowerCase());
}

/** The same for staff, of whom more can be asked: against the whole list. */
export async function isCommonStaffPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).refusedToStaff.has(password.trim().toLowerCase());
}

/** The list is read when somebody first chooses a password: a server that only restarts does without. */
async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common = dictionary["passwords-common"];
  return {
    refused: new Set([...common.slice(0, REFUSED), ...OWN_WORDS]),
    refusedToStaff: new Set(common.filter(({ length }) => length >= STAFF_PASSWORD_CHARACTERS)),
  };
}
