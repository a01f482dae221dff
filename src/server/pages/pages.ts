import type { Hono, Context as HonoContext } from "hono";
import type { Context, Deps } from "../context.ts";
import type { Env } from "../request-context.ts";
import { appRouter } from "../router.ts";
import { FOREVER, openBuild } from "./pages.build.ts";
import type { KeptPages } from "./pages.kept.ts";
import { drawNonce } from "./pages.nonce.ts";
import type { PageRequest, RenderedPage } from "./pages.renderer.ts";
import { NONCE_MARK, pageResponse } from "./pages.response.ts";
import { robotsText, sitemapXml } from "./pages.site.ts";

const AN_HOUR = "public, max-age=3600";

/** Serves the storefront: the files of its build, and every other path as a page rendered here. Mount it last. */
export function mountPages(
  app: Hono<Env>,
  deps: Deps,
  contextOf: (c: HonoContext<Env>) => Promise<Context>,
  keptPages: KeptPages,
): void {
  const build = openBuild();

  app.get("/robots.txt", (c) => c.text(robotsText(deps.publicUrl())));
  app.get("/sitemap.xml", (c) =>
    c.body(sitemapXml(deps.publicUrl()), 200, { "Content-Type": "application/xml; charset=utf-8" }),
  );
  app.get("/assets/*", async (c) => {
    c.header("Cache-Control", FOREVER);
    return (await build.serveFile(c)) ?? c.text("Not found", 404, { "Cache-Control": "no-store" });
  });
  app.get("*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    c.header("Cache-Control", AN_HOUR);
    const file = await build.serveFile(c);
    if (file) return file;
    const page = {
      url: `${deps.publicUrl()}${pathname}${search}`,
      nonce: NONCE_MARK,
      appRouter,
      context: await contextOf(c),
    };
    const rendered = await keptPages.keep(c, () => renderPage(page));
    const isPersonal = page.context.actor.kind === "user";
    return pageResponse(c, rendered, drawNonce(), { isPersonal });
  });

  async function renderPage(page: PageRequest): Promise<RenderedPage> {
    try {
      const render = await build.renderer();
      return await render(page);
    } catch (error) {
      deps.log.error({ err: error, requestId: page.context.requestId }, "page could not be rendered");
      return BROKEN_PAGE;
    }
  }
}

const BROKEN_PAGE: RenderedPage = {
  status: 500,
  location: null,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Print Store</title><h1>Unexpected Application Error!</h1><p>Please try again in a moment.</p></html>`,
};
