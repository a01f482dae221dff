import { getRouteApi } from "@tanstack/react-router";
import { mayCall, type Procedure } from "#shared/permissions.ts";

const staffRoute = getRouteApi("/_staff");

/** The id of the shop that is chosen in the header; undefined while all of the person's shops are shown. */
export function useCurrentShop(): string | undefined {
  return staffRoute.useSearch().shop;
}

/** Who works here: the guard let nobody else in. */
export function useStaffUser() {
  return staffRoute.useRouteContext().user;
}

/** Whether who works here may make this call: what they may not do is not offered. */
export function useMayCall(procedure: Procedure): boolean {
  return mayCall(procedure, useStaffUser().role);
}
