import { z } from "zod";
import { asciiDigits } from "../digits.ts";
import { requiredText } from "./fields.ts";

/** How long a pending login, a challenge and a new secret are valid. */
export const PENDING_LOGIN_MINUTES = 10;
/** The number of recovery codes; each works once. */
export const RECOVERY_CODES = 10;
export const MAX_PASSKEYS = 10;

/** Binary WebAuthn data as base64url. */
const encoded = z.string().regex(/^[\w-]{1,8192}$/, "must be base64url");
const common = {
  id: encoded,
  rawId: encoded,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/**
 * The browser's answer after signing with a passkey, in the format of @simplewebauthn/browser.
 */
export const passkeyAnswer = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.optional(),
  }),
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** The browser's answer after creating a passkey. */
export const passkeyCreation = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

/** Six digits from an authenticator app, or a recovery code. */
export const factorCode = requiredText("Code", 64).transform(asciiDigits);

export const finishLoginInput = z.object({ code: factorCode });
/** @property isSecondStep it follows a password, with which the person said whether others use the computer too */
export const passkeyLoginInput = z.object({ passkey: passkeyAnswer, isSecondStep: z.boolean().optional() });
export type PasskeyLoginInput = z.infer<typeof passkeyLoginInput>;
/** @property enrolment what `startTotp` answered, which holds the secret sealed */
export const addTotpInput = z.object({ enrolment: z.string().max(1000), code: factorCode });
export const addPasskeyInput = z.object({ name: requiredText("Name", 60), passkey: passkeyCreation });
export type AddPasskeyInput = z.infer<typeof addPasskeyInput>;
export const passkeyIdInput = z.object({ id: encoded });
export const secondFactorRuleInput = z.object({ required: z.boolean() });
