import type { Hono, Context as HonoContext } from "hono";
import { html, raw } from "hono/html";
import type { Context, Deps } from "../context.ts";
import { isForLog, STATUS, textFailure, toAppError } from "../errors.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { hashSource } from "../lib/crypto.ts";
import { previewUndo, undoAddressChange } from "./payment-address.service.ts";
import { readShopPhoto } from "./photos.service.ts";

/** Mounts `/shop-photos/:name`. A name contains the photo's hash, so it never stands for another photo. */
export function mountShopPhotos(
  app: Hono<Env>,
  deps: Pick<Deps, "config" | "readDb" | "files" | "now">,
): void {
  app.get("/shop-photos/:name", async (c) => {
    try {
      const photo = await readShopPhoto(deps, c.req.param("name"));
      if (!photo) return c.text("Not found", 404, { "Cache-Control": "no-store" });
      return c.body(new Uint8Array(photo), 200, {
        "Content-Type": "image/webp",
        "Cache-Control": "public, max-age=31536000, immutable",
      });
    } catch (error) {
      return textFailure(c, error);
    }
  });
}

const UNDO_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 34rem; padding: 3rem 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .375rem 1.25rem; margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid #8886; border-radius: 8px; }
dt { opacity: .75; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 0; border-radius: 8px; background: #b3261e; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/** The page that undoes a change of the payment address loads nothing and may only submit its own form. */
const UNDO_HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${hashSource(UNDO_STYLE)}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
};

/**
 * Mounts `/payment-address?token=…`, the link in the mail about a shop's new UPI ID. Opening it changes nothing,
 * because mail scanners open links too; the button on the page does.
 */
export function mountPaymentAddress(app: Hono<Env>, { log }: Pick<Deps, "log">, contextOf: ContextOf): void {
  const answer = (body: (ctx: Context, token: string) => Promise<unknown>) => async (c: HonoContext<Env>) => {
    try {
      const page = await body(await contextOf(c), c.req.query("token") ?? "");
      return c.html(`${page}`, 200, UNDO_HEADERS);
    } catch (error) {
      const appError = toAppError(error);
      if (isForLog(appError)) log.error({ err: error, requestId: c.get("requestId") }, "request failed");
      const { code, message } = appError;
      const title = code === "NOT_FOUND" ? "Nothing to undo" : "Please try again";
      return c.html(`${pageOf(title, html`<p>${message}.</p>`)}`, STATUS[code].http, UNDO_HEADERS);
    }
  };
  app.get("/payment-address", answer(confirmPage));
  app.post("/payment-address", answer(donePage));
}

async function confirmPage(ctx: Context, token: string) {
  const { shopName, from, hadAddress, to, by, at } = await previewUndo(ctx, token);
  return pageOf(
    `Undo the new UPI ID of ${shopName}?`,
    html`<p>Students will pay ${paymentPlace(hadAddress)} again, and ${by} will be logged out everywhere.</p>
<dl>
<dt>Before</dt><dd>${from}</dd>
<dt>Now</dt><dd>${to || "none"}</dd>
<dt>Changed by</dt><dd>${by}</dd>
<dt>When</dt><dd>${at}</dd>
</dl>
<form method="post"><button>Undo the change</button></form>`,
  );
}

async function donePage(ctx: Context, token: string) {
  const { shopName, hadAddress } = await undoAddressChange(ctx, token);
  return pageOf(
    "The change is undone",
    html`<p>Students pay ${shopName} ${paymentPlace(hadAddress)} again. Its owners and the admins will be told by email.</p>`,
  );
}

const paymentPlace = (hadAddress: boolean) =>
  hadAddress ? "at the previous UPI ID" : "on delivery or pickup";

function pageOf(title: string, body: unknown) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Print Store</title>
<style>${raw(UNDO_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
