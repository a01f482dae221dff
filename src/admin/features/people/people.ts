import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

type StaffList = inferRouterOutputs<AppRouter>["staff"]["list"];
export type Person = StaffList["people"][number];
export type Invitation = StaffList["invitations"][number];
