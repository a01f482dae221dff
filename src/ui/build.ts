import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { icons } from "@iconify-json/tabler";
import { tanstackRouter } from "@tanstack/router-plugin/vite";
import type { Plugin } from "vite";

/** The chunks of the first load: packages, which change seldom, and the store's own code. */
export const FIRST_LOAD = [
  { name: "packages", test: /node_modules/, tags: ["$initial" as const], priority: 5 },
  { name: "store", tags: ["$initial" as const], priority: 4 },
];

/** The route tree of the front end in this folder from the files in its `routes`, and one chunk per route. */
export function fileRoutes(folder: string) {
  return tanstackRouter({
    target: "react",
    autoCodeSplitting: true,
    addExtensions: true,
    quoteStyle: "double",
    semicolons: true,
    disableLogging: true,
    routesDirectory: join(folder, "routes"),
    generatedRouteTree: join(folder, "routeTree.gen.ts"),
    tmpDir: join(folder, "../../node_modules/.cache/tanstack-router", basename(folder)),
  });
}

const ICON_PREFIX = "~icons/tabler/";

/** Resolves `~icons/tabler/NAME` to a component of that icon of Tabler's; src/ui/icon.tsx draws it. */
export function tablerIcons(): Plugin {
  return {
    name: "print-store:tabler-icons",
    resolveId: (id) => (id.startsWith(ICON_PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${ICON_PREFIX}`)) return null;
      const name = id.slice(ICON_PREFIX.length + 1);
      const drawing = icons.icons[name]?.body;
      if (!drawing) throw new Error(`Tabler has no icon with the name ${name}`);
      const paths = Array.from(drawing.matchAll(/ d="([^"]+)"/g), ([, path]) => path);
      return `import { drawIcon } from "#ui/icon.tsx";
export default drawIcon(${JSON.stringify(paths)}, ${!drawing.includes('fill="none"')});`;
    },
  };
}

const PDFJS_FOLDERS = ["cmaps", "standard_fonts", "wasm", "iccs"];
const PDFJS_WORKER = "legacy/build/pdf.worker.min.mjs";
const require = createRequire(import.meta.url);
const PDFJS_MANIFEST = require.resolve("pdfjs-dist/package.json");

/** Path of what `pdfjsData` emits; the console uses it too. */
export function pdfjsDataPath(): string {
  const { version }: { version: string } = require(PDFJS_MANIFEST);
  return `/assets/pdfjs-${version}`;
}

/**
 * Emits pdf.js's worker and what it fetches while it draws (character maps, standard fonts, image decoders) into
 * `assets/pdfjs-VERSION/`, and replaces `__PDFJS_DATA__` in the code with that path.
 */
export function pdfjsData(): Plugin {
  const path = pdfjsDataPath();
  return {
    name: "print-store:pdfjs-data",
    config: () => ({ define: { __PDFJS_DATA__: JSON.stringify(path) } }),
    applyToEnvironment: (environment) => environment.name === "client",
    async generateBundle() {
      const worker = await readFile(join(dirname(PDFJS_MANIFEST), PDFJS_WORKER));
      this.emitFile({
        type: "asset",
        fileName: `${path.slice(1)}/${basename(PDFJS_WORKER)}`,
        source: worker,
      });
      for (const folder of PDFJS_FOLDERS) {
        const source = join(dirname(PDFJS_MANIFEST), folder);
        for (const name of await readdir(source)) {
          const fileName = `${path.slice(1)}/${folder}/${name}`;
          this.emitFile({ type: "asset", fileName, source: await readFile(join(source, name)) });
        }
      }
    },
  };
}
