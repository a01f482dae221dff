import { createECDH } from "node:crypto";
import { z } from "zod";
import type { Db } from "#db/database.ts";
import { transact } from "#db/transaction.ts";
import type { Keyring } from "../lib/crypto.ts";
import { findSealedKeys, insertSealedKeys, replaceSealedKeys } from "./push.queries.ts";

const vapidKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
/** The key pair by which push services know this store (RFC 8292), as base64url. */
export type VapidKeys = z.infer<typeof vapidKeys>;

const SEALED_AS = "push-keys";

/**
 * Reads the key pair from the database, or makes it at the first start. Several servers that start at once get the same.
 * A pair that was sealed under another secret is replaced, and browsers have to subscribe again.
 */
export async function loadVapidKeys(db: Db, keyring: Keyring): Promise<VapidKeys> {
  const found = (await findSealedKeys(db)) ?? (await storeFirst(db, keyring));
  const known = unseal(keyring, found);
  if (known) return known;
  const to = sealNew(keyring);
  await transact(db, (trx) => replaceSealedKeys(trx, { from: found, to }));
  const kept = unseal(keyring, (await findSealedKeys(db)) ?? "");
  if (!kept) throw new Error("SECRET: another server of this store has another one");
  return kept;
}

async function storeFirst(db: Db, keyring: Keyring): Promise<string> {
  await insertSealedKeys(db, sealNew(keyring));
  return (await findSealedKeys(db)) ?? "";
}

function sealNew(keyring: Keyring): string {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // Without leading zeros, a key can be shorter than the 32 bytes that are expected.
  const privateKey = Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url");
  return keyring.seal(SEALED_AS, JSON.stringify({ publicKey, privateKey } satisfies VapidKeys));
}

/** Whether a stored key pair was sealed under the secret of this keyring, which is the store's own then. */
export function areSealedBy(keyring: Keyring, sealed: string): boolean {
  return unseal(keyring, sealed) !== null;
}

function unseal(keyring: Keyring, sealed: string): VapidKeys | null {
  const text = keyring.unseal(SEALED_AS, sealed);
  return text === null ? null : vapidKeys.parse(JSON.parse(text));
}
