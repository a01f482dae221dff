import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin as PostcssPlugin } from "postcss";
import presetMantine from "postcss-preset-mantine";
import { defineConfig, type Plugin, type Rollup } from "vite";
import { FIRST_LOAD, fileRoutes, pdfjsData, tablerIcons } from "../ui/build.ts";

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
    test: /\/src\/shared\/(?!schemas\/|upload-quota|digits)/,
    maxModuleSize: 4300,
    minShareCount: 5,
    priority: 3,
  },
  // Small parts of many pages, together: each request of its own costs a kilobyte of headers.
  {
    name: "parts",
    test: /@mantine\/hooks\/(?!.*\/use-(focus|window-event|callback-ref))|\/create-safe-context\/|\/VisuallyHidden|\/client\/ui\/(?!\w+-styles)|\/src\/ui\/(?!file-button)|\/shared\/(photos|ratings)|\/form-alert|\/lib\/storage/,
    maxModuleSize: 2600,
    minShareCount: 2,
    priority: 3,
  },
  // Otherwise they would be in the chunks of forms and of printing, which are large.
  { name: "presses", test: /\/ui\/double-press|\/shared\/digits/, minShareCount: 2, priority: 3 },
  // With the styles of forms, which every page would have if they were among the parts.
  { name: "controls", test: /@mantine\/core|\/form-styles/, minShareCount: 6, priority: 2 },
  {
    name: "inputs",
    test: /@mantine\/core.*\/((Input|InputBase|TextInput|NativeSelect|Combobox|CloseButton)\/|Input\.layer)/,
    minShareCount: 2,
    priority: 4,
  },
  {
    name: "forms",
    test: /node_modules\/(zod|@mantine\/form)\/|\/accounts\/account-/,
    minShareCount: 4,
    priority: 1,
  },
  {
    name: "price",
    test: /\/ui\/card|\/print\/prices|\/(print-pages|order-jobs)|\/checkout\/order-facts|\/lib\/clock-text/,
    minShareCount: 2,
    priority: 1,
  },
  // What printing needs, on its page and at the counter.
  {
    name: "print",
    test: /\/features\/(print|files)\/|~icons\/|\/(Progress|FileButton)\/|\/ui\/file-button|\/shared\/upload-quota|p-limit|p-retry/,
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
    fileRoutes(root),
    tablerIcons(),
    react(),
    pdfjsData(),
    browserOnly(root, [
      "features/files/page-viewer.tsx",
      "../ui/pdf/pdf-documents.ts",
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

/** Replaces these modules by empty ones in the server's bundle. Only browsers need them and their libraries. */
function browserOnly(root: string, modules: readonly string[]): Plugin {
  const paths = modules.map((module) => resolve(root, module));
  const replaced = new Set<string>();
  return {
    name: "print-store:browser-only",
    applyToEnvironment: (environment) => environment.name === "ssr",
    load(id) {
      if (!paths.includes(id)) return null;
      replaced.add(id);
      return "export {};";
    },
    buildEnd(error) {
      const missing = paths.filter((path) => !replaced.has(path));
      if (!error && missing.length > 0)
        this.error(`These modules are not in the bundle: ${missing.join(", ")}`);
    },
  };
}

/** Mantine's palettes that the store does not use, 3 kB of every page. */
const PALETTE = /^--mantine-color-(red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/;

/** Leaves Mantine's palettes out of the CSS. A component that needs a colour takes one of the theme's. */
function dropPalettes(): PostcssPlugin {
  return {
    postcssPlugin: "print-store:drop-palettes",
    Declaration(declaration) {
      if (PALETTE.test(declaration.prop)) declaration.remove();
    },
  };
}

/** Replaces `__SHELL__` in the service worker by the paths of the scripts and fonts that every page of the client loads. */
function shellFiles(): Plugin {
  let shell: string[] = [];
  return {
    name: "print-store:shell-files",
    // One instance for both builds: the client's tells the service worker's.
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => name === "client" || name === "serviceWorker",
    transform(code, id) {
      if (this.environment.name !== "serviceWorker" || !id.endsWith("/sw.ts")) return null;
      return { code: code.replaceAll(/\b__SHELL__\b/g, JSON.stringify(shell)), map: null };
    },
    generateBundle(_options, bundle) {
      if (this.environment.name === "client") shell = pathsOf(bundle);
    },
  };
}

function pathsOf(bundle: Rollup.OutputBundle): string[] {
  const files = Object.values(bundle);
  const entries = files.filter((file) => file.type === "chunk" && file.isEntry);
  const scripts = new Set(entries.map(({ fileName }) => fileName));
  for (const name of scripts) {
    const chunk = bundle[name];
    if (chunk?.type === "chunk") for (const imported of chunk.imports) scripts.add(imported);
  }
  const fonts = files.map(({ fileName }) => fileName).filter((name) => name.endsWith(".woff2"));
  return [...scripts, ...fonts].map((name) => `/${name}`);
}
