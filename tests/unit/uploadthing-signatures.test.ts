import { generateKey, generateSignedURL } from "@uploadthing/shared";
import { runPromise, runSync } from "effect/Micro";
import { make } from "effect/Redacted";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { keyPrefixOf, signUploadUrl } from "#server/files/storage/uploadthing-client.ts";
import { faultOfSignature } from "../setup/uploadthing-emulator.handlers.ts";

const KEY = "sk_live_0123456789";
const DATA = { "x-ut-file-size": 5, "x-ut-file-name": "a b & ü.pdf" };

function signed(apiKey = KEY): string {
  return signUploadUrl("http://localhost:1/key", apiKey, { seconds: 60, data: DATA });
}

test("signs an upload exactly as UploadThing's SDK does", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_790_000_000_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const byTheSdk = generateSignedURL("http://localhost:1/key", make(KEY), { ttlInSeconds: 60, data: DATA });
  expect(signed()).toBe(await runPromise(byTheSdk));
});

test("gives keys the same prefix as UploadThing's SDK, for any app", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (appId) => {
      const key = runSync(generateKey({ name: "thesis.pdf", size: 9, type: "application/pdf" }, appId));
      const prefix = keyPrefixOf(appId);
      expect(prefix.length).toBeGreaterThanOrEqual(12);
      expect(key.startsWith(prefix)).toBe(true);
    }),
  );
});

test("UploadThing's emulator accepts a signed URL until it expires", () => {
  const url = signed();
  expect(faultOfSignature(url, KEY)).toBeNull();
  expect(faultOfSignature(url, KEY, Date.now() + 61_000)).toBe("Expired");
});

test("UploadThing's emulator refuses a URL that is unsigned, changed or signed with another key", () => {
  const url = signed();
  expect(faultOfSignature(signed("sk_live_of_another"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace("file-size=5", "file-size=6"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace(/expires=\d+/, "expires=9999999999999"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace("/key", "/kez"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(`${url}&x-ut-acl=public-read`, KEY)).toBe("No signature");
  expect(faultOfSignature("http://localhost:1/key", KEY)).toBe("No signature");
});
