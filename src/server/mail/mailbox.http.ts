import type { OpenAPIHono } from "@hono/zod-openapi";
import { html, raw } from "hono/html";
import { indianTime } from "#shared/indian-time.ts";
import type { Deps } from "../context.ts";
import { type ContextOf, type Env, isOperator } from "../http/request-context.ts";
import { hashSource } from "../lib/crypto.ts";
import { findMail, listMails, type StoredMail } from "./mail.queries.ts";
import { MAIL_STYLE_SOURCE, toPageParts, toParts } from "./rendering.ts";

/** How many of the newest mails are shown. */
const MAX_SHOWN = 200;

/**
 * The built-in mailbox of a store without SMTP: `/mailbox`, one mail at `/mailbox/<id>`, all as `/mailbox.json`. Only
 * operators may read it (`isOperator`); for everybody else it does not exist.
 */
export function mountMailbox(app: OpenAPIHono<Env>, deps: Deps, contextOf: ContextOf): void {
  for (const path of ["/mailbox/*", "/mailbox.json"]) {
    app.use(path, async (c, next) => {
      if (!(await isOperator(c, deps, contextOf))) return c.notFound();
      c.header("Cache-Control", "no-store");
      c.header("Content-Security-Policy", PAGE_POLICY);
      return next();
    });
  }
  app.get("/mailbox", async (c) => c.html(mailboxPage(await listMails(deps.readDb, MAX_SHOWN))));
  app.get("/mailbox.json", async (c) => {
    const mails = await listMails(deps.readDb, MAX_SHOWN);
    return c.json({ mails: mails.map(({ content, ...mail }) => ({ ...mail, ...toParts(content) })) });
  });
  app.get("/mailbox/:id", async (c) => {
    const mail = await findMail(deps.readDb, c.req.param("id"));
    if (!mail) return c.notFound();
    return c.html(mailPage(mail, await toPageParts(mail.content)));
  });
}

const REFRESH_SECONDS = 5;

const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-top: 1px solid #8885; overflow-wrap: anywhere; }
th { font-weight: 600; }
.when { white-space: nowrap; }
iframe, pre { box-sizing: border-box; width: 100%; border: 1px solid #8885; border-radius: 6px; }
iframe { height: 44rem; background: Canvas; }
pre { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** Allows the styles of these pages and of the mails, and inline pictures; no scripts and no requests. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src-elem ${hashSource(PAGE_STYLE)} ${MAIL_STYLE_SOURCE}`,
  "img-src data:",
  "style-src-attr 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function mailboxPage(mails: StoredMail[]) {
  const list = html`<table>
<thead><tr><th scope="col">Time</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>
${mails.map(mailRow)}</tbody>
</table>`;
  return page(
    "Mailbox",
    html`<p>No SMTP server is set, so the store keeps its emails here. This page looks for new ones every ${REFRESH_SECONDS} seconds.</p>
${mails.length > 0 ? list : html`<p>There are no emails yet.</p>`}`,
    html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
  );
}

/** @param parts as a web page can show them */
function mailPage(mail: StoredMail, parts: { text: string; html: string }) {
  return page(
    mail.subject,
    html`<p><a href="/mailbox">Mailbox</a></p>
<table>
<tr><th scope="row">To</th><td>${mail.to}</td></tr>
${mail.replyTo ? html`<tr><th scope="row">Reply to</th><td>${mail.replyTo}</td></tr>` : null}
<tr><th scope="row">Time</th><td>${time(mail)}</td></tr>
</table>
<h2>HTML part</h2>
<iframe title="HTML part" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${parts.html}"></iframe>
<h2>Text part</h2>
<pre>${parts.text}</pre>`,
  );
}

function mailRow(mail: StoredMail) {
  return html`<tr><td class="when">${time(mail)}</td><td>${mail.to}</td><td><a href="/mailbox/${mail.id}">${mail.subject}</a></td></tr>
`;
}

function page(title: string, body: unknown, head: unknown = null) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} – Print Store mailbox</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
}

function time({ createdAt }: StoredMail) {
  return html`<time datetime="${createdAt}">${indianTime(createdAt)}</time>`;
}
