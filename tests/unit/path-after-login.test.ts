import { expect, test } from "vitest";
import { pathAfterLogin } from "#ui/path-after-login.ts";

test.each(["/", "/printnow?id=red-soil-prints", "/orders/7#payment"])(
  "%s is opened after the login",
  (path) => {
    expect(pathAfterLogin(path)).toBe(path);
  },
);

test.each([
  undefined,
  "",
  "orders",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/orders\n",
  "https://evil.example/",
  "javascript:alert(1)",
])("home is opened instead of %j", (redirect) => {
  expect(pathAfterLogin(redirect)).toBe("/");
});
