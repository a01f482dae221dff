import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign } from "node:crypto";

interface Challenge {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
}

interface Conditions {
  /** The origin that the browser reports. */
  origin: string;
  /** Whether the user entered a PIN or used a fingerprint. */
  isVerified?: boolean;
  /** The signature counter that the authenticator reports. */
  counter?: number;
}

/** Says who made an authenticator, in CBOR. */
export interface Attestation {
  format: string;
  /** @param signed what the key has to sign; `clientHash`: the SHA-256 of what the browser says */
  statement(key: KeyPairKeyObjectResult, given: { signed: Buffer; clientHash: Buffer }): Buffer;
}
const NO_ATTESTATION: Attestation = { format: "none", statement: () => hex("a0") };

/** A software authenticator with one ES256 key. */
export class SoftwareKey {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  /** The browser's answer to `startPasskey`. */
  create(
    { challenge, rp }: Challenge,
    { origin, isVerified = true }: Conditions,
    { format, statement }: Attestation = NO_ATTESTATION,
  ) {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const cose = [hex("a5010203262001215820"), base64url(x), hex("225820"), base64url(y)];
    const credential = [Buffer.alloc(16), uint(this.id.length, 2), this.id, ...cose];
    const data = Buffer.concat([this.#head(rp?.id ?? "", 0x40 | flags(isVerified), 0), ...credential]);
    const client = clientData("webauthn.create", challenge, origin);
    const clientHash = createHash("sha256").update(client).digest();
    const signed = Buffer.concat([data, clientHash]);
    const attestation = [
      ...[hex("a3"), cborText("fmt"), cborText(format)],
      ...[cborText("attStmt"), statement(this.#keys, { signed, clientHash })],
      ...[cborText("authData"), cborBytes(data)],
    ];
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      attestationObject: Buffer.concat(attestation).toString("base64url"),
      transports: ["internal"],
    });
  }

  /** The browser's answer to `passkeyChallenge`. */
  get({ challenge, rpId }: Challenge, { origin, isVerified = true, counter = 0 }: Conditions) {
    const client = clientData("webauthn.get", challenge, origin);
    const data = this.#head(rpId ?? "", flags(isVerified), counter);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return this.#answer({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
    });
  }

  #head(rpId: string, flags: number, counter: number): Buffer {
    return Buffer.concat([createHash("sha256").update(rpId).digest(), uint(flags, 1), uint(counter, 4)]);
  }

  #answer<Response>(response: Response) {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function flags(isVerified: boolean): number {
  return isVerified ? 0b101 : 0b001;
}

/** Of fewer than 24 letters. */
export function cborText(text: string): Buffer {
  return Buffer.concat([uint(0x60 + text.length, 1), Buffer.from(text)]);
}

export function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([hex("59"), uint(bytes.length, 2), bytes]);
}

export function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}

function base64url(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
