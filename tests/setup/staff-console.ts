import type { BrowserContextOptions } from "playwright-core";
import type { ApiClient } from "./api-client.ts";

/** Lets a browser window go on with a cookie of a visitor, such as the session: options of `visit`. */
export function sessionOf(visitor: ApiClient, name = "session"): Pick<BrowserContextOptions, "storageState"> {
  const { hostname } = new URL(visitor.baseUrl);
  const value = visitor.cookie(name);
  const cookie = { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, sameSite: "Lax" }], origins: [] } };
}
