import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

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

/** A software authenticator with one ES256 key. */
export class SoftwareKey {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  /** The browser's answer to `startPasskey`. */
  create({ challenge, rp }: Challenge, { origin, isVerified = true }: Conditions) {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const cose = [hex("a5010203262001215820"), base64url(x), hex("225820"), base64url(y)];
    const credential = [Buffer.alloc(16), uint(this.id.length, 2), this.id, ...cose];
    const data = Buffer.concat([this.#head(rp?.id ?? "", 0x40 | flags(isVerified), 0), ...credential]);
    const attestation = [
      hex("a363666d74646e6f6e656761747453746d74a068617574684461746159"),
      uint(data.length, 2),
      data,
    ];
    return this.#answer({
      clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
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

function hex(text: string): Buffer {
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
