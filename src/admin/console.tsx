import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { cssVariables } from "#ui/theme/css-variables.ts";
import { trpc } from "#ui/trpc.ts";
import { theme } from "./lib/theme.ts";
import { createConsoleRouter } from "./router.tsx";

/** The whole staff console. @param nonce what the page's policy knows style tags by. */
export function Console({ nonce }: { nonce: string }) {
  const [{ router, queryClient, client }] = useState(createConsoleRouter);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
    >
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </ModalsProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
