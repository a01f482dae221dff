import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from "@mantine/core";
import { HeadContent, Scripts, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cssVariables } from "./theme/css-variables.ts";
import { theme } from "./theme/theme.ts";

/** The HTML document around every page. */
export function Document({ children }: { children: ReactNode }) {
  const nonce = useRouter().options.ssr?.nonce;
  return (
    <html lang="en-IN" {...mantineHtmlProps}>
      <head>
        <HeadContent />
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
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
