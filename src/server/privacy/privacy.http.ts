import { create as contentDisposition } from "content-disposition";
import type { Hono } from "hono";
import { indianDay } from "#shared/indian-time.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { createCaller } from "../router.ts";

/** Mounts `/my-data`: the logged-in user's data as a JSON file. Errors are plain text. */
export function mountMyData(app: Hono<Env>, contextOf: ContextOf): void {
  app.get("/my-data", async (c) => {
    const data = await createCaller(await contextOf(c)).privacy.myData();
    return c.body(JSON.stringify(data, null, 2), 200, {
      "Cache-Control": "private, no-store",
      "Content-Type": "application/json",
      "Content-Disposition": contentDisposition(`print-store-${indianDay(data.collectedAt)}.json`),
    });
  });
}
