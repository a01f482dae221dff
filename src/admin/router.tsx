import { createRouter } from "@tanstack/react-router";
import { listenForBack } from "#ui/back-closes.ts";
import { OWNER_KEY } from "#ui/personal-data.ts";
import { createStoreData, type StoreUtils } from "#ui/trpc.ts";
import { askToConfirm } from "./features/account/confirm-dialog.tsx";
import { consoleLink } from "./lib/console-link.ts";
import { continueAs, isAtWork } from "./lib/session-end.ts";
import { routeTree } from "./routeTree.gen.ts";
import { Loader, LoadFailure, NotFound } from "./ui/screen.tsx";

/** What guards and loaders of routes can use. */
export interface RouterContext {
  utils: StoreUtils;
  /**
   * Whether the server knows this browser's session, be it after another login over the screen; if not, the login opens.
   * True also when the server cannot be reached.
   */
  checkSession: () => Promise<boolean>;
}

/** The console's router and its data layer, one per browser tab. */
export function createConsoleRouter() {
  const followBack = listenForBack();
  const data = createStoreData(consoleLink({ checkSession, askToConfirm }));
  const router = createRouter({
    routeTree,
    basepath: "/admin",
    context: { utils: data.utils, checkSession },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultPendingComponent: Loader,
    defaultErrorComponent: LoadFailure,
    notFoundMode: "root",
    defaultNotFoundComponent: NotFound,
  });
  followBack(router.history);

  async function checkSession(): Promise<boolean> {
    const user = await data.client.accounts.me.query().catch(() => undefined);
    if (user === undefined || (await continueAs(user))) return true;
    data.queryClient.clear();
    data.utils.accounts.me.setData(undefined, null);
    void router.invalidate();
    return false;
  }

  // Somebody has logged out or in in another tab.
  window.addEventListener("storage", ({ key }) => {
    if (key === OWNER_KEY && isAtWork()) void checkSession();
  });

  return { router, ...data };
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>["router"];
  }
}
