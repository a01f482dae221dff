import { describe, expect, test } from "vitest";
import type { Context } from "#server/context.ts";
import { checkLink, fileIdOf, signFileUrl } from "#server/files/file-links.ts";
import { printingAccount } from "#server/files/pdf/print-copies.service.ts";
import { createKeyring, PURPOSES } from "#server/lib/crypto.ts";

const NOON = new Date("2026-11-21T12:00:00Z");
const ONE_PM = new Date("2026-11-21T13:00:00Z");
const deps = {
  keyring: createKeyring("a secret of this test, long enough"),
  now: () => NOON,
  publicUrl: () => "https://print.example",
};
const ORIGINS = ["https://print.example", "http://localhost:3000"];

function signed(fileId: string, expiresAt: Date) {
  const url = new URL(signFileUrl(deps, fileId, expiresAt));
  return { url, link: { exp: url.searchParams.get("exp") ?? "", sig: url.searchParams.get("sig") ?? "" } };
}

describe("a signed link", () => {
  test("opens its own file until it expires", () => {
    const { url, link } = signed("file-1", ONE_PM);
    expect(url.origin + url.pathname).toBe("https://print.example/files/file-1");
    expect(checkLink(deps, "file-1", link)).toBe("good");
    const before = new Date(ONE_PM.getTime() - 1);
    expect(checkLink({ ...deps, now: () => before }, "file-1", link)).toBe("good");
    expect(checkLink({ ...deps, now: () => ONE_PM }, "file-1", link)).toBe("expired");
  });

  test("has its print copies counted by the address of whoever follows it", () => {
    const guestAt = (address: string) => printingAccount({ actor: { kind: "guest" }, address } as Context);
    expect(guestAt("192.0.2.1")).not.toBe(guestAt("192.0.2.2"));
  });

  test("does not open another file, later than it says, or under another secret", () => {
    const { link } = signed("file-1", ONE_PM);
    expect(checkLink(deps, "file-2", link)).toBe("forged");
    expect(checkLink(deps, "file-1", { ...link, exp: String(Number(link.exp) + 1) })).toBe("forged");
    expect(checkLink(deps, "file-1", { ...link, sig: "" })).toBe("forged");
    expect(checkLink(deps, "file-1", { ...link, sig: `${link.sig}A` })).toBe("forged");
    const other = { ...deps, keyring: createKeyring("another secret, just as long as that") };
    expect(checkLink(other, "file-1", link)).toBe("forged");
  });

  test("is signed with a key that is used for nothing else", () => {
    const { link } = signed("file-1", ONE_PM);
    const macs = PURPOSES.map((purpose) => deps.keyring.mac(purpose, `file-1 ${link.exp}`));
    expect(macs.indexOf(link.sig)).toBe(PURPOSES.indexOf("file-link"));
    expect(new Set(macs).size).toBe(PURPOSES.length);
  });
});

describe("the file id in a URL", () => {
  test.each([
    ["https://print.example/files/0f5c-1", "0f5c-1"],
    ["http://localhost:3000/files/0f5c-1?exp=1&sig=x", "0f5c-1"],
    ["/files/0f5c-1", "0f5c-1"],
    ["https://evil.example/files/0f5c-1", null],
    ["//evil.example/files/0f5c-1", null],
    ["https://print.example@evil.example/files/0f5c-1", null],
    ["http://print.example/files/0f5c-1", null],
    ["https://print.example/files/0f5c-1/more", null],
    ["https://print.example/files/", null],
    ["https://print.example/other/0f5c-1", null],
    [`https://print.example/files/${"a".repeat(65)}`, null],
    ["javascript:alert(1)", null],
    ["http://[", null],
    ["", null],
  ])("of %s is %s", (url, id) => {
    expect(fileIdOf(url, ORIGINS)).toBe(id);
  });
});
