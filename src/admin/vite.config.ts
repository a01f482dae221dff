import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import presetMantine from "postcss-preset-mantine";
import { defineConfig } from "vite";
import { FIRST_LOAD, fileRoutes, pdfjsDataPath, tablerIcons } from "../ui/build.ts";

const root = import.meta.dirname;
const dist = resolve(root, "../../dist");

/** What many screens are made of. */
const OFTEN = [
  { name: "controls", test: /@mantine\/(core|hooks)/, minShareCount: 4 },
  { name: "icons", test: /~icons\//, minShareCount: 2 },
];

/** `vite build --config src/admin/vite.config.ts` builds the staff console into `dist/admin`. */
export default defineConfig({
  root,
  base: "/admin/",
  publicDir: false,
  define: { __PDFJS_DATA__: JSON.stringify(pdfjsDataPath()) },
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: "__CSP_NONCE__" },
  plugins: [fileRoutes(root), tablerIcons(), react()],
  css: { postcss: { plugins: [presetMantine()] } },
  environments: {
    client: {
      build: {
        outDir: resolve(dist, "admin"),
        emptyOutDir: true,
        target: "es2022",
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1000,
        rolldownOptions: {
          input: resolve(root, "index.html"),
          output: { codeSplitting: { groups: [...FIRST_LOAD, ...OFTEN] } },
        },
      },
    },
  },
});
