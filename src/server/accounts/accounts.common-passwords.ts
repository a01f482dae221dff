/** As many as OWASP asks for. The contract itself asks for no more than a password, so no further ones are refused. */
const REFUSED = 3000;

/** What this store is called, as people would try it first here. */
const OWN_WORDS = ["print store", "printstore", "print-store", "printnow", "printshop"];

/** What must stay of a staff password without the digits and signs around it. */
const FEWEST_IN_STEM = 6;

interface CommonPasswords {
  /** The most common first; of all of them only staff are refused. */
  all: readonly string[];
  refused: ReadonlySet<string>;
}

let loaded: Promise<CommonPasswords> | undefined;

/** Whether the password is among those that people choose most often, and that attackers therefore try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).refused.has(password.trim().toLowerCase());
}

/**
 * The same for staff, of whom more can be asked: no password of the whole list, also where digits and signs are put around
 * or in place of its letters, or it is repeated; and none that has little else than digits and signs.
 */
export async function isCommonStaffPassword(password: string): Promise<boolean> {
  loaded ??= load();
  const { all } = await loaded;
  const plain = password.trim().toLowerCase();
  const stem = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (stem.length < FEWEST_IN_STEM) return true;
  const letters = plain.replaceAll(/[^\p{L}]/gu, "");
  const forms = [plain, stem, letters, withLetters(stem, "i"), withLetters(stem, "l")];
  return forms.some((form) => all.includes(form) || all.includes(form.replace(/^(.+?)\1+$/u, "$1")));
}

/** Without the digits and signs that stand for letters: p@ssw0rd. A one stands for two of them. */
function withLetters(text: string, one: "i" | "l"): string {
  const letters: Record<string, string> = { "0": "o", "1": one, "3": "e", "4": "a", "5": "s", "7": "t" };
  const signs: Record<string, string> = { "@": "a", $: "s", "!": one };
  return text.replaceAll(/[013457@$!]/g, (sign) => letters[sign] ?? signs[sign] ?? sign);
}

/** The list is read when somebody first chooses a password: a server that only restarts does without. */
async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const all = dictionary["passwords-common"];
  return { all, refused: new Set([...all.slice(0, REFUSED), ...OWN_WORDS]) };
}
