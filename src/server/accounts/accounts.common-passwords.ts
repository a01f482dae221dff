/** As many as OWASP asks for. The contract itself asks for no more than a password, so no further ones are refused. */
const REFUSED = 3000;

/** What this store is called, as people would try it first here. */
const OWN_WORDS = ["print store", "printstore", "print-store", "printnow", "printshop"];

let loaded: Promise<ReadonlySet<string>> | undefined;

/** Whether the password is among those that people choose most often, and that attackers therefore try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).has(password.trim().toLowerCase());
}

/** The list is read when somebody first chooses a password: a server that only restarts does without. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set([...dictionary["passwords-common"].slice(0, REFUSED), ...OWN_WORDS]);
}
