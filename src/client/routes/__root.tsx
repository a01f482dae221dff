import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import {
  createRootRouteWithContext,
  HeadContent,
  Outlet,
  ScriptOnce,
  Scripts,
  useRouter,
} from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { ThemeProvider, ThemeStyles, theme } from "#ui/theme/theme.tsx";
import { Layout } from "../features/layout/layout.tsx";
import { RECORD_CLICK_SCRIPT, useReplayedClick } from "../lib/before-hydration.ts";
import { siteHead } from "../lib/page-head.ts";
import { useAuth, useClaimBrowser, useForgottenPages } from "../lib/session.ts";
import type { RouterContext } from "../router.tsx";
import "../ui/display-font.css";
import { PopupHost } from "../ui/popup/popup-host.tsx";

export const Route = createRootRouteWithContext<RouterContext>()({
  head: ({ match, matches }) => siteHead(match.context.origin, matches.at(-1)?.pathname ?? "/"),
  shellComponent: Document,
  component: Root,
});

/** Every page claims the browser for its user, so that other tabs notice when somebody else has logged in. */
function Root() {
  useClaimBrowser(useAuth().userData?._id);
  useForgottenPages();
  return (
    <Layout>
      <PopupHost />
      <Outlet />
    </Layout>
  );
}

/** The HTML document around every page. */
function Document({ children }: { children: ReactNode }) {
  useReplayedClick();
  useDisplayFont();
  const nonce = useRouter().options.ssr?.nonce ?? "";
  return (
    <html lang="en-IN" {...mantineHtmlProps}>
      <head>
        <HeadContent />
        <ThemeStyles theme={theme} nonce={nonce} />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f5" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f151e" />
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <ScriptOnce>{`${DISPLAY_FONT_SCRIPT}${RECORD_CLICK_SCRIPT}`}</ScriptOnce>
        <ThemeProvider theme={theme} nonce={nonce}>
          {children}
        </ThemeProvider>
        <Scripts />
      </body>
    </html>
  );
}

/** Inline script that shows headings in the display font at once where the service worker has it. */
const DISPLAY_FONT_SCRIPT =
  'if(navigator.serviceWorker?.controller)document.documentElement.dataset.displayFont="";';

/** Loads the display font, 10 kB, once the page works. */
function useDisplayFont(): void {
  useEffect(() => {
    const show = () => {
      document.documentElement.dataset.displayFont = "";
    };
    document.fonts.load("700 1em Bricolage").then(show, () => {});
  }, []);
}
