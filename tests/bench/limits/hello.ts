import { serve } from "@hono/node-server";
import { Hono } from "hono";

// The limit of what is read: a Hono app that does nothing but answer with a little JSON.

const app = new Hono();
app.get("/", (c) => c.json({ hello: "world" }));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`open at http://127.0.0.1:${port}`);
});
