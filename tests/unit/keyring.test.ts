import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKeyring, loadSecret } from "#server/lib/crypto.ts";

const keyring = createKeyring("a secret of this test, long enough");

describe("a sealed text", () => {
  test("can be unsealed again, and looks different each time it is sealed", () => {
    const [one, other] = [keyring.seal("totp 1", "JBSWY3DP"), keyring.seal("totp 1", "JBSWY3DP")];
    expect([one, other].map((sealed) => keyring.unseal("totp 1", sealed))).toEqual(["JBSWY3DP", "JBSWY3DP"]);
    expect(one).not.toBe(other);
  });

  test("cannot be unsealed for another purpose, with another secret, altered or shortened", () => {
    const sealed = keyring.seal("totp 1", "JBSWY3DP");
    expect(keyring.unseal("totp 2", sealed)).toBeNull();
    const other = createKeyring("another secret, just as long as that");
    expect(other.unseal("totp 1", sealed)).toBeNull();
    const bytes = Buffer.from(sealed, "base64url");
    for (const at of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(keyring.unseal("totp 1", altered.toString("base64url"))).toBeNull();
    }
    // A sealed empty text is only its tag; a shortened tag could be guessed.
    const empty = Buffer.from(keyring.seal("totp 1", ""), "base64url");
    for (const length of empty.keys()) {
      expect(keyring.unseal("totp 1", empty.subarray(0, length).toString("base64url"))).toBeNull();
    }
  });
});

test("what an earlier version has hashed or sealed under the store's secret stays valid", () => {
  const hashes = {
    otp: "XoQM6B0R3Q97",
    "file-link": "UKc_So25GYlx",
    limit: "ZSjx1ZmiCioj",
    device: "b8CuljiRIL69",
    log: "XDgJkKiK--uD",
    "recovery-code": "1ff7_O9Co4-M",
    "undo-link": "YQAnFzC22Akd",
  } as const;
  for (const [purpose, hash] of Object.entries(hashes))
    expect([purpose, keyring.mac(purpose as keyof typeof hashes, "text").slice(0, 12)]).toEqual([
      purpose,
      hash,
    ]);
  expect(keyring.unseal("totp 1", "uxnp94QPq2h4g7T9VmXNDti2uNQEYeF1Ir9hSEmvGzm0E-5u")).toBe("JBSWY3DP");
  expect(keyring.unseal("name", keyring.seal("name", "आशा"))).toBe("आशा");
});

test.each(["", "cut off"])(
  "a data folder whose secret is %j is refused, not used with it",
  async (secret) => {
    const folder = await mkdtemp(join(tmpdir(), "secret-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "secret"), secret);
    await expect(loadSecret(folder)).rejects.toThrow(
      `DATA_DIR: ${join(folder, "secret")} is damaged. Put it there again from a backup`,
    );
  },
);
