import "./lib/styles.ts";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./console.tsx";

// The page's policy knows style tags by this nonce: Mantine's own, and the one that holds the page still below a dialog.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

const root = document.getElementById("root");
if (!root) throw new Error("The page has no root");
createRoot(root).render(
  <StrictMode>
    <Console nonce={nonce} />
  </StrictMode>,
);
