import type { BrowserContextOptions } from "playwright-core";
import type { ApiClient } from "./api-client.ts";

/** Options of `visit` that give a browser window a visitor's cookie, such as the session. */
export function sessionOf(visitor: ApiClient, name = "session"): Pick<BrowserContextOptions, "storageState"> {
  const { hostname } = new URL(visitor.baseUrl);
  const value = visitor.cookie(name);
  const cookie = { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, sameSite: "Lax" }], origins: [] } };
}
