import { generateSignedURL } from "@uploadthing/shared";
import { runPromise } from "effect/Micro";
import { make } from "effect/Redacted";
import { expect, test } from "vitest";
import { faultOfSignature } from "../setup/uploadthing-emulator.signatures.ts";

const KEY = "sk_live_0123456789";

function signed(apiKey = KEY): Promise<string> {
  const data = { "x-ut-file-size": 5, "x-ut-file-name": "a b & c.pdf" };
  return runPromise(generateSignedURL("http://localhost:1/key", make(apiKey), { ttlInSeconds: 60, data }));
}

test("the emulator of UploadThing takes what the SDK signed, until it expires", async () => {
  const url = await signed();
  expect(faultOfSignature(url, KEY)).toBeNull();
  expect(faultOfSignature(url, KEY, Date.now() + 61_000)).toBe("Expired");
});

test("the emulator of UploadThing refuses what was signed with another key, changed or not signed", async () => {
  const url = await signed();
  expect(faultOfSignature(await signed("sk_live_of_another"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace("file-size=5", "file-size=6"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace(/expires=\d+/, "expires=9999999999999"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(url.replace("/key", "/kez"), KEY)).toBe("Wrong signature");
  expect(faultOfSignature(`${url}&x-ut-acl=public-read`, KEY)).toBe("No signature");
  expect(faultOfSignature("http://localhost:1/key", KEY)).toBe("No signature");
});
