import { getRouteApi } from "@tanstack/react-router";

const staffRoute = getRouteApi("/_staff");

/** The id of the shop that is chosen in the header; undefined while all of the person's shops are shown. */
export function useCurrentShop(): string | undefined {
  return staffRoute.useSearch().shop;
}

/** The logged-in staff member; the guard lets in nobody else. */
export function useStaffUser() {
  return staffRoute.useRouteContext().user;
}
