import { getRouteApi } from "@tanstack/react-router";
import { mayCall, type Procedure } from "#shared/permissions.ts";

const staffRoute = getRouteApi("/_staff");

/** The id of the shop that is chosen in the header; undefined while all of the person's shops are shown. */
export function useCurrentShop(): string | undefined {
  return staffRoute.useSearch().shop;
}

/** The logged-in staff member; the guard lets in nobody else. */
export function useStaffUser() {
  return staffRoute.useRouteContext().user;
}

/** Whether the user may call this procedure; what they may not call is not shown. */
export function useMayCall(procedure: Procedure): boolean {
  return mayCall(procedure, useStaffUser().role);
}
