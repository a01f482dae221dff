import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context, Deps } from "../context.ts";
import { isOperator } from "../operator-access.ts";
import type { Env } from "../request-context.ts";
import { partsOf, shownPartsOf } from "./mail.body.ts";
import { mailboxPage, mailPage, PAGE_POLICY } from "./mail.mailbox-pages.ts";
import { findMail, listMails } from "./mail.queries.ts";

/** How many of the newest mails are shown. */
const SHOWN = 200;

type ContextOf = (c: HonoContext<Env>) => Promise<Context>;

/**
 * The built-in mailbox of a store without SMTP: `/mailbox`, one mail at `/mailbox/<id>`, all as `/mailbox.json`.
 * Only operators may look (`isOperator`); for everybody else it does not exist.
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
  app.get("/mailbox", async (c) => c.html(mailboxPage(await listMails(deps.readDb, SHOWN))));
  app.get("/mailbox.json", async (c) => {
    const mails = await listMails(deps.readDb, SHOWN);
    return c.json({ mails: mails.map(({ body, ...mail }) => ({ ...mail, ...partsOf(body) })) });
  });
  app.get("/mailbox/:id", async (c) => {
    const mail = await findMail(deps.readDb, c.req.param("id"));
    if (!mail) return c.notFound();
    return c.html(mailPage(mail, await shownPartsOf(mail.body)));
  });
}
