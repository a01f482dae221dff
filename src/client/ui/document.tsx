import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from "@mantine/core";
import { HeadContent, ScriptOnce, Scripts, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cssVariables } from "#ui/theme/css-variables.ts";
import { theme } from "#ui/theme/theme.ts";
import { HOLD_EARLY_CLICK, useHeldClick } from "../lib/early-click.ts";

/** The HTML document around every page. */
export function Document({ children }: { children: ReactNode }) {
  useHeldClick();
  const nonce = useRouter().options.ssr?.nonce;
  return (
    <html lang="en-IN" {...mantineHtmlProps}>
      <head>
        <HeadContent />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f5" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f151e" />
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <ScriptOnce>{HOLD_EARLY_CLICK}</ScriptOnce>
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          cssVariablesResolver={cssVariables}
          getStyleNonce={() => nonce ?? ""}
        >
          {children}
        </MantineProvider>
        <Scripts />
      </body>
    </html>
  );
}
