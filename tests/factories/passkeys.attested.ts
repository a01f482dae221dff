import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { type Attestation, cborBytes, cborText, hex } from "./passkeys.ts";

/**
 * The attestation of an Android phone whose certificate, by a root of its own, names this address for whether it is revoked.
 */
export function attestedBy(address: string): Attestation {
  return {
    format: "android-key",
    statement({ publicKey, privateKey }, { signed, clientHash }) {
      const maker = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const by = { issuer: "Maker", signer: maker.privateKey };
      const root = certificate({ subject: "Maker", key: maker.publicKey, ...by }, []);
      const phone = certificate({ subject: "Phone", key: publicKey, ...by }, [
        extension(KEY_DESCRIPTION, describedKey(clientHash)),
        extension(
          REVOCATION_LISTS,
          der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from(address)))))),
        ),
      ]);
      return Buffer.concat([
        ...[hex("a3"), cborText("alg"), hex("26")],
        ...[cborText("sig"), cborBytes(sign("sha256", signed, privateKey))],
        ...[cborText("x5c"), hex("82"), cborBytes(phone), cborBytes(root)],
      ]);
    },
  };
}

const KEY_DESCRIPTION = hex("060a2b06010401d679020111");
const REVOCATION_LISTS = hex("0603551d1f");
const ECDSA_SHA256 = hex("300a06082a8648ce3d040302");

interface Certified {
  subject: string;
  key: KeyObject;
  issuer: string;
  signer: KeyObject;
}

/** An X.509 certificate of these years (RFC 5280). */
function certificate({ subject, key, issuer, signer }: Certified, extensions: Buffer[]): Buffer {
  const signed = der(
    0x30,
    ...[hex("a003020102020101"), ECDSA_SHA256, nameOf(issuer)],
    der(0x30, time("20200101000000Z"), time("21000101000000Z")),
    ...[nameOf(subject), key.export({ type: "spki", format: "der" })],
    ...(extensions.length > 0 ? [der(0xa3, der(0x30, ...extensions))] : []),
  );
  return der(0x30, signed, ECDSA_SHA256, der(0x03, hex("00"), sign("sha256", signed, signer)));
}

function nameOf(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, hex("0603550403"), der(0x0c, Buffer.from(name)))));
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function extension(id: Buffer, value: Buffer): Buffer {
  return der(0x30, id, der(0x04, value));
}

/** What Android says of a key: made for this challenge, with no other claims. */
function describedKey(challenge: Buffer): Buffer {
  const levels = hex("0201030a01010201040a0101");
  return der(0x30, levels, der(0x04, challenge), hex("040030003000"));
}

/** A value in DER, of fewer than 65,536 bytes. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}
