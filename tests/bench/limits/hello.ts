import { serve } from "@hono/node-server";
import { Hono } from "hono";

// The limit of reads: a Hono app that only responds with a little JSON.

const app = new Hono();
app.get("/", (c) => c.json({ hello: "world" }));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`open at http://127.0.0.1:${port}`);
});
