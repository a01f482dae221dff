import { z } from "zod";
import { shop, shopCard, shopIdInput, shopListInput } from "#shared/schemas/shops.ts";
import { restRoute } from "../http/openapi.ts";

export const shopsRest = [
  restRoute({
    method: "get",
    path: "/prints/shopslocation",
    procedure: "shops.list",
    tag: "Shops",
    summary: "All shops as shown in the grid, or one page of them, or those that match a search",
    query: shopListInput,
    data: z.array(shopCard),
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shops found",
    call: (caller, { query }) => caller.shops.list(query),
  }),
  restRoute({
    method: "get",
    path: "/prints/shopdata",
    procedure: "shops.byId",
    tag: "Shops",
    summary: "One shop with its option lists",
    query: shopIdInput,
    data: shop,
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shop found",
    call: (caller, { query }) => caller.shops.byId(query),
  }),
];
