import type { VerifiedAuthenticationResponse } from "@simplewebauthn/server";
import type { PasskeyTable } from "#db/schema.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import {
  type AddPasskeyInput,
  MAX_PASSKEYS,
  type PasskeyAnswer,
  type PasskeyLoginInput,
} from "#shared/schemas/second-factors.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { type Account, findAccount } from "./accounts.queries.ts";
import { openSession, pendingUntil, takePendingLogin } from "./login.service.ts";
import {
  consumeChallenge,
  findPasskey,
  findSecondFactors,
  insertChallenge,
  insertPasskey,
  markPasskeyUsed,
  type SecondFactors,
} from "./second-factor.queries.ts";
import { type AddedFactor, addFactor, noPendingLogin, requireEnrolment } from "./second-factor.service.ts";

/**
 * Ed25519, ES256 and RS256, which authenticators support. The library's newer default algorithm makes Node print a
 * warning.
 */
const ALGORITHMS = [-8, -7, -257];

/** Its five hundred files are read when a passkey is first used: they would take a third of every start. */
function webAuthn() {
  return import("@simplewebauthn/server");
}

/**
 * Those that browsers give, as the store asks for no attestation. Of the others the library follows certificates, and asks at any
 * address that they name whether they are revoked.
 */
const FORMATS = ["none", "packed"];

async function requireFormat(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const format = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url"))).get(
    "fmt",
  );
  if (!FORMATS.includes(format)) throw new Error(`The format is ${format}`);
}

/** A passkey belongs to the host name of the store. */
function relyingParty({ origins }: Context): { origin: string; rpID: string } {
  const origin = origins.at(-1) ?? "";
  return { origin, rpID: new URL(origin).hostname };
}

/** A challenge for any user's passkey: the browser offers those that it has for this store. */
export async function passkeyChallenge(ctx: Context) {
  await ctx.limits.use("passkeyAddress", ctx.address);
  const { generateAuthenticationOptions } = await webAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    userVerification: "required",
  });
  const expiresAt = pendingUntil(ctx).toISOString();
  await insertChallenge(ctx.db, { id: sha256(options.challenge), userId: null, expiresAt });
  return options;
}

/** Returns the account whose passkey signed one of our challenges with user verification; null for any other answer. */
export async function redeemPasskey(ctx: Context, answer: PasskeyAnswer): Promise<Account | null> {
  await ctx.limits.use("passkeyAddress", ctx.address);
  const passkey = await findPasskey(ctx.db, answer.id);
  const account = passkey && (await findAccount(ctx.db, { id: passkey.user_id }));
  if (!passkey || !account || account.role === "customer") return null;
  const verified = await verify(ctx, answer, passkey).catch(() => null);
  if (!verified?.verified) {
    logSecurity(ctx, "auth.login.failed", account, { way: "passkey" });
    return null;
  }
  const { newCounter } = verified.authenticationInfo;
  const isFirst = await markPasskeyUsed(ctx.db, passkey, { newCounter, at: ctx.now().toISOString() });
  return isFirst ? account : null;
}

async function verify(
  ctx: Context,
  answer: PasskeyAnswer,
  passkey: PasskeyTable,
): Promise<VerifiedAuthenticationResponse> {
  const { origin, rpID } = relyingParty(ctx);
  const { verifyAuthenticationResponse } = await webAuthn();
  return verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (challenge) =>
      consumeChallenge(ctx.db, sha256(challenge), null, ctx.now().toISOString()),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
      counter: Number(passkey.counter),
      transports: JSON.parse(passkey.transports),
    },
  });
}

/**
 * Logs in with a passkey. It counts as two factors: the device, and whatever unlocks it. Throws GONE for the second step of a login
 * that is over.
 */
export async function loginWithPasskey(
  ctx: Context,
  { passkey, isSecondStep }: PasskeyLoginInput,
): Promise<CurrentUser> {
  const account = await redeemPasskey(ctx, passkey);
  if (!account) throw wrongPasskey();
  // Of whoever gave a password in this browser before; the passkey may be somebody else's.
  const pending = await takePendingLogin(ctx);
  if (isSecondStep && !pending) noPendingLogin();
  return openSession(ctx, account, { isConfirmed: true, isComplete: true, isShared: pending?.isShared });
}

export function wrongPasskey(): AppError {
  return new AppError(
    "INVALID_INPUT",
    "This passkey was not accepted. Please try again, or log in another way",
  );
}

/** The options that a browser needs to create a passkey. */
export async function startPasskey(ctx: Context) {
  const user = await requireEnrolment(ctx);
  const { passkeys } = await findSecondFactors(ctx.db, user._id);
  requireRoom(passkeys);
  const { generateRegistrationOptions } = await webAuthn();
  const options = await generateRegistrationOptions({
    rpName: "Print Store",
    rpID: relyingParty(ctx).rpID,
    userID: new Uint8Array(Buffer.from(user._id)),
    userName: user.email,
    userDisplayName: user.fullName,
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const expiresAt = pendingUntil(ctx).toISOString();
  await insertChallenge(ctx.db, { id: sha256(options.challenge), userId: user._id, expiresAt });
  return options;
}

function requireRoom({ length }: SecondFactors["passkeys"]): void {
  if (length < MAX_PASSKEYS) return;
  throw new AppError("CONFLICT", `You have ${MAX_PASSKEYS} passkeys. Please remove one first`);
}

/** Adds the passkey that the browser has created. */
export async function addPasskey(
  ctx: Context,
  { name, passkey: created }: AddPasskeyInput,
): Promise<AddedFactor> {
  const user = await requireEnrolment(ctx);
  const { origin, rpID } = relyingParty(ctx);
  const { verifyRegistrationResponse } = await webAuthn();
  const answer = await requireFormat(created.response.attestationObject)
    .then(() =>
      verifyRegistrationResponse({
        response: created,
        expectedChallenge: (challenge) =>
          consumeChallenge(ctx.db, sha256(challenge), user._id, ctx.now().toISOString()),
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    .catch(() => null);
  if (!answer?.verified) throw wrongPasskey();
  const { credential } = answer.registrationInfo;
  const row: PasskeyTable = {
    id: credential.id,
    user_id: user._id,
    name,
    public_key: Buffer.from(credential.publicKey).toString("base64url"),
    counter: String(credential.counter),
    transports: JSON.stringify(created.response.transports ?? []),
    created_at: ctx.now().toISOString(),
    last_used_at: null,
  };
  return addFactor(ctx, user, `passkey "${name}"`, async (trx, { passkeys }) => {
    requireRoom(passkeys);
    if (!(await insertPasskey(trx, row))) throw new AppError("CONFLICT", "This passkey was already added");
  });
}
