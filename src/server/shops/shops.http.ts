import type { Hono, Context as HonoContext } from "hono";
import { html, raw } from "hono/html";
import type { Context, Deps } from "../context.ts";
import { isForLog, STATUS, toAppError } from "../errors.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { hashSource } from "../lib/crypto.ts";
import { confirmEmail, readClaim } from "./order-email.service.ts";
import { previewUndo, undoAddressChange } from "./payment-address.service.ts";
import { readShopPhoto } from "./photos.service.ts";

/** Mounts `/shop-photos/:name`. A name contains the photo's hash, so it never stands for another photo. */
export function mountShopPhotos(
  app: Hono<Env>,
  deps: Pick<Deps, "config" | "readDb" | "files" | "now">,
): void {
  app.get("/shop-photos/:name", async (c) => {
    const photo = await readShopPhoto(deps, c.req.param("name"));
    if (!photo) return c.text("Not found", 404, { "Cache-Control": "no-store" });
    return c.body(new Uint8Array(photo), 200, {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  });
}

const FORM_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 34rem; padding: 3rem 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .375rem 1.25rem; margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid #8886; border-radius: 8px; }
dt { opacity: .75; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; padding: .75rem 1.5rem; border: 0; border-radius: 8px; background: #b3261e; color: #fff; cursor: pointer; }
button.good { background: #1b5e20; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/** These pages load nothing and may only submit their own form. */
const FORM_HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src ${hashSource(FORM_STYLE)}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
};

interface MailedForm {
  path: string;
  /** The title where the link no longer works. */
  expired: string;
  asks: (ctx: Context, token: string) => Promise<unknown>;
  does: (ctx: Context, token: string) => Promise<unknown>;
}

/** The links in mails about a shop, opened without a login. */
const FORMS: MailedForm[] = [
  { path: "/payment-address", expired: "Nothing to undo", asks: undoPage, does: undonePage },
  { path: "/shop-email", expired: "Nothing to confirm", asks: confirmPage, does: confirmedPage },
];

/**
 * Mounts the pages behind the links in mails about a shop, each with `?token=…`. Opening one changes nothing, because mail
 * scanners open links too; the button on the page does.
 */
export function mountMailedForms(app: Hono<Env>, { log }: Pick<Deps, "log">, contextOf: ContextOf): void {
  for (const { path, expired, asks, does } of FORMS) {
    const answer = (body: MailedForm["asks"]) => async (c: HonoContext<Env>) => {
      try {
        const page = await body(await contextOf(c), c.req.query("token") ?? "");
        return c.html(`${page}`, 200, FORM_HEADERS);
      } catch (error) {
        const appError = toAppError(error);
        if (isForLog(appError)) log.error({ err: error, requestId: c.get("requestId") }, "request failed");
        const { code, message } = appError;
        const title = code === "NOT_FOUND" ? expired : "Please try again";
        return c.html(`${pageOf(title, html`<p>${message}.</p>`)}`, STATUS[code].http, FORM_HEADERS);
      }
    };
    app.get(path, answer(asks));
    app.post(path, answer(does));
  }
}

async function undoPage(ctx: Context, token: string) {
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

async function undonePage(ctx: Context, token: string) {
  const { shopName, hadAddress } = await undoAddressChange(ctx, token);
  return pageOf(
    "The change is undone",
    html`<p>Students pay ${shopName} ${paymentPlace(hadAddress)} again. Its owners and the admins will be told by email.</p>`,
  );
}

async function confirmPage(ctx: Context, token: string) {
  const { name, email } = await readClaim(ctx, token);
  return pageOf(
    `Is ${email} the email of ${name}?`,
    html`<p>If it is, orders of the shop are mailed here, with the students' names, numbers and addresses and links that open their files.</p>
<form method="post"><button class="good">Yes, mail orders here</button></form>`,
  );
}

async function confirmedPage(ctx: Context, token: string) {
  const { name, email } = await confirmEmail(ctx, token);
  return pageOf("The email is confirmed", html`<p>Orders of ${name} are mailed to ${email}.</p>`);
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
<style>${raw(FORM_STYLE)}</style>
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
