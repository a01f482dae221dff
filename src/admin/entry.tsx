// Mantine's CSS is in a layer, so that the store's own overrides it.
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "#ui/theme/fonts.css";
import "#ui/theme/tokens.css";
import "#ui/theme/global.css";
import "./lib/console.css";
import { ModalsProvider, modals, useModals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode, useState } from "react";
import { createPortal } from "react-dom";
import { createRoot } from "react-dom/client";
import { useBackCloses } from "#ui/back-closes.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { ThemeProvider, ThemeStyles } from "#ui/theme/theme.tsx";
import { trpc } from "#ui/trpc.ts";
import { LogInAgain } from "./features/account/log-in-again.tsx";
import { Notices } from "./lib/notices.tsx";
import { theme } from "./lib/theme.ts";
import { createConsoleRouter } from "./router.tsx";

// The Content-Security-Policy allows style tags with this nonce: Mantine's, and the one that stops scrolling below a dialog.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

// They are outside the screens, and would act in the name of the next person.
onPersonalDataCleared(() => {
  notifications.clean();
  modals.closeAll();
});

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root");
createRoot(root).render(
  <StrictMode>
    <Console nonce={nonce} />
  </StrictMode>,
);

/** Android's Back closes the topmost question of `modals`. */
function QuestionsCloseOnBack() {
  const { modals, closeModal } = useModals();
  const top = modals.at(-1);
  useBackCloses(top !== undefined, () => top && closeModal(top.id));
  return null;
}

/** The staff console. @param nonce of style tags, for the Content-Security-Policy */
function Console({ nonce }: { nonce: string }) {
  const [{ router, queryClient, client }] = useState(createConsoleRouter);
  return (
    <ThemeProvider theme={theme} nonce={nonce}>
      {createPortal(<ThemeStyles theme={theme} nonce={nonce} />, document.head)}
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <RouterProvider router={router} />
            <Notices />
            <LogInAgain />
            <QuestionsCloseOnBack />
          </ModalsProvider>
        </QueryClientProvider>
      </trpc.Provider>
    </ThemeProvider>
  );
}
