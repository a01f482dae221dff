import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

type Answers = inferRouterOutputs<AppRouter>;

/** What the order queue answers. */
export type BoardAnswer = Answers["queue"]["board"];
export type OrderPage = Answers["queue"]["page"];
export type OrderDetail = Answers["queue"]["order"];
export type QueueCard = BoardAnswer["delivered"][number];
export type QueueRow = OrderPage["rows"][number];
export type LinkedOrder = NonNullable<Answers["reprints"]["ofOrder"]["reprint"]>;
export type OrderFile = OrderDetail["files"][number];
