import type { BrowserContextOptions } from "playwright-core";
import type { ApiClient } from "./api-client.ts";

/** Lets a browser window go on with the session of a visitor who is logged in: options of `visit`. */
export function sessionOf(visitor: ApiClient): Pick<BrowserContextOptions, "storageState"> {
  const { hostname } = new URL(visitor.baseUrl);
  const [name, value] = ["session", visitor.cookie("session")];
  const cookie = { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, sameSite: "Lax" }], origins: [] } };
}
