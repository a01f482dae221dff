import { browserSupportsWebAuthn, startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { PasskeyAnswer, PasskeyCreation } from "#shared/schemas/second-factors.ts";
import { ShownError } from "#ui/errors.ts";
import type { StoreClient } from "#ui/trpc.ts";

/** Passkeys need a host name; browsers refuse them for IP addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  return browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(window.location.hostname);
}

/** Signs with one of the person's passkeys; throws if they cancel. */
export async function askPasskey(client: StoreClient): Promise<PasskeyAnswer> {
  // The type of extensions allows more than JSON; the store requests none.
  const { extensions: _, ...optionsJSON } = await client.accounts.passkeyChallenge.mutate();
  return (await withMessage(startAuthentication({ optionsJSON }))) as PasskeyAnswer;
}

/** Creates a passkey; throws if the person cancels. */
export async function createPasskey(client: StoreClient): Promise<PasskeyCreation> {
  const { extensions: _, ...optionsJSON } = await client.accounts.startPasskey.mutate();
  return (await withMessage(startRegistration({ optionsJSON }))) as PasskeyCreation;
}

/** Replaces the browser's error by one with a message for the person. */
async function withMessage<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    throw new ShownError(
      isKnown
        ? "This device has a passkey for your account already"
        : "No passkey was used. Please try again",
    );
  }
}
