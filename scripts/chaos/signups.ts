import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../tests/setup/api-client.ts";
import type { Dice } from "../load/dice.ts";
import { isDone, type World } from "./world.ts";

const PASSWORD = "correct horse battery";
/** A kill while a mail is being sent leaves it until its lease is over, longer than anybody waits for a code. */
const CODE_WITHIN_MS = 5000;
const LOOK_MS = 50;

/** Registers until that is answered, verifies by the mailed code, logs in; answers the visitor that is signed in. */
export async function signUp(world: World, dice: Dice, email: string): Promise<ApiClient> {
  const visitor = world.visitor();
  const phone = `9${dice.int(0, 999_999_999).toString().padStart(9, "0")}`;
  const person = { fullName: "Asha Verma", email, phone, password: PASSWORD, confirmpassword: PASSWORD };
  const registered = await world.insist("a signup", () => visitor.post("/api/v1/users/register", person));
  isDone(world, "a signup", registered);
  const tried = new Set<string>();
  for (;;) {
    const verifyCode = await awaitCode(world, email, tried);
    if (verifyCode) {
      const send = () => visitor.post("/api/v1/users/verify-account", { verifyCode, phone });
      if (await world.ask("a code", send)) tried.add(verifyCode);
      if (await logIn(world, visitor, person)) return visitor;
    } else {
      await world.ask("a new code", () => visitor.mutate("accounts.resendVerification", { phone }));
    }
  }
}

/** False where the account is not verified: its code was an older one. */
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

/** The newest code that was mailed and not tried yet; undefined when none comes for a while. */
async function awaitCode(world: World, email: string, tried: Set<string>): Promise<string | undefined> {
  for (let waited = 0; waited < CODE_WITHIN_MS; waited += LOOK_MS) {
    const code = world.post.codesFor(email).findLast((each) => !tried.has(each));
    if (code) return code;
    await sleep(LOOK_MS);
  }
  return undefined;
}
