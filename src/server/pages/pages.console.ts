import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import { MAIL_STYLE_SOURCE } from "../mail/mail.template.ts";
import type { Env } from "../request-context.ts";
import { DIST, FOREVER } from "./pages.build.ts";
import { drawNonce } from "./pages.nonce.ts";
import { NONCE_MARK, pageResponse } from "./pages.response.ts";

/** What stands for the nonce in the console's page; the console's Vite config has it too. */
const BUILT_NONCE = "__CSP_NONCE__";

/** Serves the staff console: the files of its build, and its one page at every other path below `/admin`. */
export function mountConsole(app: Hono<Env>): void {
  let page: Promise<string> | undefined;

  if (existsSync(DIST)) app.get("/admin/assets/*", serveAssets());
  app.get("/admin/assets/*", (c) => c.text("Not found", 404, { "Cache-Control": "no-store" }));
  app.on("GET", ["/admin", "/admin/*"], async (c) => {
    page ??= readPage();
    const html = await page;
    // Mails are shown in a frame, which takes the page's policy over.
    return pageResponse(c, { status: 200, location: null, html }, drawNonce(), {
      styleSource: MAIL_STYLE_SOURCE,
    });
  });
}

function serveAssets() {
  return serveStatic({
    root: DIST,
    precompressed: true,
    onFound: (_path, c) => c.header("Cache-Control", FOREVER),
  });
}

async function readPage(): Promise<string> {
  const html = await readFile(join(DIST, "admin/index.html"), "utf8");
  return html.replaceAll(BUILT_NONCE, NONCE_MARK);
}
