import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";

const FOLDERS = ["cmaps", "standard_fonts", "wasm", "iccs"];
const WORKER = "legacy/build/pdf.worker.min.mjs";
const require = createRequire(import.meta.url);
const MANIFEST = require.resolve("pdfjs-dist/package.json");

/** Path of what `pdfjsData` emits; the console uses it too. */
export function pdfjsDataPath(): string {
  const { version }: { version: string } = require(MANIFEST);
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
      const worker = await readFile(join(dirname(MANIFEST), WORKER));
      this.emitFile({ type: "asset", fileName: `${path.slice(1)}/${basename(WORKER)}`, source: worker });
      for (const folder of FOLDERS) {
        const source = join(dirname(MANIFEST), folder);
        for (const name of await readdir(source)) {
          const fileName = `${path.slice(1)}/${folder}/${name}`;
          this.emitFile({ type: "asset", fileName, source: await readFile(join(source, name)) });
        }
      }
    },
  };
}
