import type { Context } from "../context.ts";
import type { AppRouter } from "../router.ts";

/** One page to render: who asks for what. */
export interface PageRequest {
  /** Full URL of the page, under the store's own origin. */
  url: string;
  /** Put on every inline script and style. */
  nonce: string;
  /** The router and context by which the page calls the store's procedures in process. */
  appRouter: AppRouter;
  context: Context;
}

export interface RenderedPage {
  status: number;
  /** Where to go instead, for a redirect. */
  location: string | null;
  html: string;
}

/** The files of the client build that a page needs. Their paths are as browsers ask for them. */
export interface ClientAssets {
  /** The script that starts a page. */
  script: string;
  /** Text of each stylesheet by its path. */
  styles: Record<string, string>;
  /** Stylesheets of each module of the client and of what it imports, by the module's path under `src/client`. */
  stylesOf: Record<string, string[]>;
}

export type RenderPage = (page: PageRequest) => Promise<RenderedPage>;

/** What the module in `dist/server-render` exports; the client's entry-server implements it. */
export type CreateRenderer = (assets: ClientAssets) => RenderPage;
