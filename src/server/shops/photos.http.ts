import type { Hono } from "hono";
import type { Deps } from "../context.ts";
import { textFailure } from "../errors.ts";
import type { Env } from "../http/request-context.ts";
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
