import { createRouter } from "@tanstack/react-router";
import { createStoreData, type StoreUtils } from "#ui/trpc.ts";
import { askToConfirm } from "./features/account/confirm-dialog.tsx";
import { consoleLink } from "./lib/console-link.ts";
import { routeTree } from "./routeTree.gen.ts";
import { LoadFailure } from "./ui/load-failure.tsx";
import { NotFound } from "./ui/not-found.tsx";
import { Waiting } from "./ui/waiting.tsx";

/** What every route's guard and loader can use. */
export interface RouterContext {
  utils: StoreUtils;
}

/** The console's router with its data layer, one per browser tab. */
export function createConsoleRouter() {
  const data = createStoreData(consoleLink({ isSignedIn, onSessionEnded: leave, askToConfirm }));
  const router = createRouter({
    routeTree,
    basepath: "/admin",
    context: { utils: data.utils },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: LoadFailure,
    notFoundMode: "root",
    defaultNotFoundComponent: NotFound,
  });

  async function isSignedIn(): Promise<boolean> {
    const user = await data.client.accounts.me.query().catch(() => undefined);
    return user !== null;
  }

  /** Forgets what was seen, and lets the guard send the person to the login. */
  function leave(): void {
    data.queryClient.clear();
    data.utils.accounts.me.setData(undefined, null);
    void router.invalidate();
  }

  return { router, ...data };
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>["router"];
  }
}
