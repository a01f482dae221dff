import type { Hono } from "hono";
import type { Deps } from "../context.ts";
import type { Env } from "../request-context.ts";
import { PhotoShelf } from "./shops.photo-shelf.ts";

/** Mounts `/shop-photos/:name`: the photos that staff uploaded, under names that never stand for another picture. */
export function mountShopPhotos(app: Hono<Env>, { config }: Pick<Deps, "config">): void {
  const shelf = new PhotoShelf(config.dataDir);
  app.get("/shop-photos/:name", async (c) => {
    const photo = await shelf.read(c.req.param("name"));
    if (!photo) return c.text("Not found", 404, { "Cache-Control": "no-store" });
    return c.body(new Uint8Array(photo), 200, {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  });
}
