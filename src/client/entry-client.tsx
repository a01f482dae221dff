// The CSS of every page. Mantine's is in a layer, so that the store's own overrides it.
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/default-css-variables.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "#ui/theme/fonts.css";
import "#ui/theme/tokens.css";
import "#ui/theme/global.css";
import { RouterClient } from "@tanstack/react-router/ssr/client";
import { httpBatchLink } from "@trpc/client";
import { setNonce } from "get-nonce";
import { hydrateRoot } from "react-dom/client";
import { MAX_BATCH } from "#shared/calls.ts";
import { listenForBack } from "#ui/back-closes.ts";
import { callHeaders } from "#ui/background-calls.ts";
import { followOwner } from "#ui/personal-data.ts";
import { checkConnection, isOffline } from "./lib/connection.ts";
import { keepInstallOffer } from "./lib/install.ts";
import { startServiceWorker } from "./lib/service-worker.ts";
import { createStoreRouter } from "./router.tsx";

// An open dialog adds a style tag that stops scrolling; the Content-Security-Policy allows it by this nonce.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.content;
if (nonce) setNonce(nonce);

const followBack = listenForBack();
const router = createStoreRouter({
  link: httpBatchLink({ url: "/api/trpc", maxItems: MAX_BATCH, headers: callHeaders, fetch: fetchOrCheck }),
  origin: window.location.origin,
});

followOwner(() => {
  void router.options.context.utils.accounts.me.invalidate().then(() => router.invalidate());
});
followBack(router.history);

/** A request without an answer may be the first sign that there is no connection, and one with an answer that there is. */
async function fetchOrCheck(...[url, options]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(url, options);
    if (isOffline()) void checkConnection();
    return response;
  } catch (error) {
    if (!options?.signal?.aborted) void checkConnection();
    throw error;
  }
}

// In a tab from before an update of the store, scripts and styles of other pages are gone. The router loads a page anew where it
// is told of a script, and would show an error where its styles are found missing first.
window.addEventListener("vite:preloadError", ({ payload }) => {
  payload.message = payload.message.replace(
    "Unable to preload CSS for",
    "Failed to fetch dynamically imported module:",
  );
});

keepInstallOffer();
startServiceWorker(router, router.options.context.queryClient);
hydrateRoot(document, <RouterClient router={router} />);
