import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";
import { Layout } from "../features/layout/layout.tsx";
import { siteHead } from "../lib/page-head.ts";
import { useAuth, useClaimedBrowser } from "../lib/session.ts";
import type { RouterContext } from "../router.tsx";
import { Document } from "../ui/document.tsx";
import { PopupHost } from "../ui/popup/popup-host.tsx";

export const Route = createRootRouteWithContext<RouterContext>()({
  head: ({ match, matches }) => siteHead(match.context.origin, matches.at(-1)?.pathname ?? "/"),
  shellComponent: Document,
  component: Root,
});

/** Every page says whose the browser is, so that every tab learns when that is somebody else. */
function Root() {
  useClaimedBrowser(useAuth().userData?._id);
  return (
    <Layout>
      <PopupHost />
      <Outlet />
    </Layout>
  );
}
