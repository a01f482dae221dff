import { resolve } from "node:path";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import react from "@vitejs/plugin-react";
import presetMantine from "postcss-preset-mantine";
import { defineConfig } from "vite";
import { browserOnly } from "./build/browser-only.ts";
import { FIRST_LOAD } from "./build/chunk-groups.ts";
import { dropPalettes } from "./build/drop-palettes.ts";
import { tablerIcons } from "./build/icons.ts";
import { pdfjsData } from "./build/pdfjs-data.ts";
import { shellFiles } from "./build/shell-files.ts";

const root = import.meta.dirname;
const dist = resolve(root, "../../dist");

/**
 * Groups modules that many pages need, which would otherwise become dozens of tiny chunks. A group includes its
 * imports, so zod, which is large, has a group of its own with what only forms need.
 */
const OFTEN = [
  // All that the home page needs of the print pages.
  { name: "formats", test: /\/(file|use)-formats\.ts/, minShareCount: 2, priority: 3 },
  {
    name: "shared",
    test: /\/src\/shared\/(?!schemas\/)/,
    maxModuleSize: 4000,
    minShareCount: 5,
    priority: 3,
  },
  // Small parts of many pages, together: each request of its own costs a kilobyte of headers.
  {
    name: "parts",
    test: /@mantine\/hooks\/(?!.*\/use-(focus|window-event|callback-ref))|\/create-safe-context\/|\/VisuallyHidden|\/client\/ui\/|\/src\/ui\/(?!file-button)|\/shared\/photos|\/form-alert|\/lib\/storage/,
    maxModuleSize: 2600,
    minShareCount: 2,
    priority: 3,
  },
  // Or the forms would take it, which are large.
  { name: "presses", test: /\/ui\/double-press/, minShareCount: 2, priority: 3 },
  { name: "controls", test: /@mantine\/core(?!.*\/NativeSelect\/)/, minShareCount: 6, priority: 2 },
  { name: "select", test: /\/(NativeSelect|Combobox)\//, minShareCount: 2, priority: 2 },
  {
    name: "forms",
    test: /node_modules\/(zod|@mantine\/form)\/|\/accounts\/(account|use)-/,
    minShareCount: 4,
    priority: 1,
  },
  {
    name: "price",
    test: /\/print\/(card|price-lines|price-labels)|\/(print-pages|order-jobs)|\/file-lines|\/checkout\/(facts|address-fields)/,
    minShareCount: 2,
    priority: 1,
  },
  // What printing needs, on its page and at the counter.
  {
    name: "print",
    test: /\/features\/(print|files)\/|~icons\/|\/(Progress|FileButton|Text)\/|\/ui\/file-button|p-limit|p-retry/,
    minShareCount: 2,
  },
];

/**
 * Browsers that know this compile a script while it arrives, beside their main thread, and not function by function as each is
 * first called: a slow phone can use the home page 0.3 s sooner.
 */
const COMPILE_AHEAD = "//# allFunctionsCalledOnLoad";

/**
 * `vite build --config src/client/vite.config.ts` builds `dist/client` for browsers,
 * `dist/server-render/entry-server.js`, by which the server renders pages, and `dist/service-worker/sw.js`.
 */
export default defineConfig({
  root,
  publicDir: resolve(root, "public"),
  plugins: [
    tanstackRouter({
      target: "react",
      autoCodeSplitting: true,
      addExtensions: true,
      quoteStyle: "double",
      semicolons: true,
      disableLogging: true,
      routesDirectory: resolve(root, "routes"),
      generatedRouteTree: resolve(root, "routeTree.gen.ts"),
      tmpDir: resolve(root, "../../node_modules/.cache/tanstack-router"),
    }),
    tablerIcons(),
    react(),
    pdfjsData(),
    browserOnly(root, [
      "features/files/page-viewer.tsx",
      "ui/pdf/pdf-documents.ts",
      "features/files/photo-pages.ts",
    ]),
    shellFiles(),
  ],
  css: { postcss: { plugins: [presetMantine(), dropPalettes()] } },
  // pdf.js and the HEIC decoder are large, but loaded on demand; the first load is measured by a test.
  build: { chunkSizeWarningLimit: 4000 },
  builder: {
    // The service worker is told the names of the client's files.
    async buildApp({ environments: { client, ssr, serviceWorker }, build }) {
      for (const environment of [client, ssr, serviceWorker]) if (environment) await build(environment);
    },
  },
  environments: {
    client: {
      // The client reads the inlined CSS from the page instead of bundling it again.
      define: { "process.env.TSS_INLINE_CSS_ENABLED": '"true"' },
      build: {
        outDir: resolve(dist, "client"),
        emptyOutDir: true,
        manifest: true,
        target: "es2022",
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: resolve(root, "entry-client.tsx"),
          output: {
            codeSplitting: { groups: [...FIRST_LOAD, ...OFTEN] },
            postBanner: ({ isEntry, name }) => (isEntry || name === "packages" ? COMPILE_AHEAD : ""),
          },
        },
      },
    },
    ssr: {
      define: { "process.env.NODE_ENV": '"production"' },
      resolve: { noExternal: true, external: ["@trpc/server"] },
      build: {
        outDir: resolve(dist, "server-render"),
        emptyOutDir: true,
        copyPublicDir: false,
        target: "node24",
        rolldownOptions: { input: resolve(root, "entry-server.tsx") },
      },
    },
    serviceWorker: {
      consumer: "client",
      define: { "process.env.NODE_ENV": '"production"' },
      build: {
        outDir: resolve(dist, "service-worker"),
        emptyOutDir: true,
        copyPublicDir: false,
        target: "es2022",
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: resolve(root, "service-worker/sw.ts"),
          output: { format: "iife", entryFileNames: "sw.js" },
        },
      },
    },
  },
});
