import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../tests/setup/api-client.ts";
import type { Dice } from "../load/dice.ts";
import { isDone, type World } from "./world.ts";

/** Of every student. */
export const PASSWORD = "correct horse battery";
/** A kill while a mail is being sent leaves it until its lease is over, longer than anybody waits for a code. */
const CODE_WITHIN_MS = 5000;
const LOOK_MS = 50;

/** Registers until that is answered, verifies by the mailed code, logs in; answers the visitor, or null where they gave up. */
export async function signUp(world: World, dice: Dice, email: string): Promise<ApiClient | null> {
  const visitor = world.visitor();
  const phone = `9${dice.int(0, 999_999_999).toString().padStart(9, "0")}`;
  const person = { fullName: "Asha Verma", email, phone, password: PASSWORD, confirmpassword: PASSWORD };
  const registered = await world.insist("a signup", () => visitor.post("/api/v1/users/register", person));
  isDone(world, "a signup", registered);
  for (let seen = 0; !world.mayGiveUp; ) {
    const verifyCode = await awaitCode(world, email, seen);
    seen = world.post.codesFor(email).length;
    if (verifyCode) {
      const send = () => visitor.post("/api/v1/users/verify-account", { verifyCode, phone });
      const answer = await world.ask("a code", send);
      // An older code than the account's, such as one that a kill held up; the right one is on its way.
      if (answer && answer.status !== 200) continue;
    }
    if (await logIn(world, visitor, person)) return visitor;
  }
  return null;
}

/** False where the account is not verified; the store has mailed a new code then. */
export async function logIn(
  world: World,
  visitor: ApiClient,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const login = { email, password };
  const { status, body } = await world.insist("a login", () => visitor.post("/api/v1/users/login", login));
  if (status === 200) world.ledger.accounts.add(email);
  else if (body.code !== "ACCOUNT_NOT_VERIFIED")
    world.ledger.surprises.push(`a login: ${status} ${body.message}`);
  return status === 200;
}

/** The newest code after the `seen` first; undefined when none comes for a while. */
async function awaitCode(world: World, email: string, seen: number): Promise<string | undefined> {
  for (let waited = 0; waited < CODE_WITHIN_MS; waited += LOOK_MS) {
    const codes = world.post.codesFor(email);
    if (codes.length > seen) return codes.at(-1);
    await sleep(LOOK_MS);
  }
  return undefined;
}
