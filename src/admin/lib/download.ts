import { useRouteContext } from "@tanstack/react-router";
import type { MouseEvent } from "react";

/** Handles a click on a link to a file: if the session has ended, the login opens first, and the download, or the tab that it opens, comes after it. */
export function useDownload(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const { checkSession } = useRouteContext({ from: "__root__" });
  return (event) => {
    event.preventDefault();
    const link = event.currentTarget.cloneNode() as HTMLAnchorElement;
    void checkSession().then((mayGoOn) => mayGoOn && link.click());
  };
}
