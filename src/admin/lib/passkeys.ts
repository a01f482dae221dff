import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { PasskeyAnswer, PasskeyCreation } from "#shared/schemas/second-factors.ts";
import type { StoreClient } from "#ui/trpc.ts";

/** A passkey belongs to a name: browsers refuse them to a bare address such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(window.location.hostname);
}

/** Has one of the person's passkeys sign; throws when they turn it down. */
export async function askPasskey(client: StoreClient): Promise<PasskeyAnswer> {
  // What JSON can say of extensions is less than the type allows; the store asks for none.
  const { extensions: _, ...optionsJSON } = await client.accounts.passkeyChallenge.mutate();
  return (await told(startAuthentication({ optionsJSON }))) as PasskeyAnswer;
}

/** Has the browser make a passkey; throws when the person turns it down. */
export async function createPasskey(client: StoreClient): Promise<PasskeyCreation> {
  const { extensions: _, ...optionsJSON } = await client.accounts.startPasskey.mutate();
  return (await told(startRegistration({ optionsJSON }))) as PasskeyCreation;
}

/** What went wrong with the passkey itself, in words for the person. */
export class PasskeyError extends Error {}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    throw new PasskeyError(
      isKnown
        ? "This device has a passkey for your account already"
        : "No passkey was used. Please try again",
    );
  }
}
