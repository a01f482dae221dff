import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const FOLDERS = ["cmaps", "standard_fonts", "wasm", "iccs"];
const require = createRequire(import.meta.url);

/**
 * Puts what pdf.js fetches while it draws (character maps, the fonts that a PDF may leave out, image decoders) into
 * `assets/pdfjs-VERSION/`, and replaces `__PDFJS_DATA__` in the code by that path.
 */
export function pdfjsData(): Plugin {
  const manifest = require.resolve("pdfjs-dist/package.json");
  const { version }: { version: string } = require(manifest);
  const target = `assets/pdfjs-${version}`;
  return {
    name: "print-store:pdfjs-data",
    config: () => ({ define: { __PDFJS_DATA__: JSON.stringify(`/${target}`) } }),
    applyToEnvironment: (environment) => environment.name === "client",
    async generateBundle() {
      for (const folder of FOLDERS) {
        const source = join(dirname(manifest), folder);
        for (const name of await readdir(source)) {
          const fileName = `${target}/${folder}/${name}`;
          this.emitFile({ type: "asset", fileName, source: await readFile(join(source, name)) });
        }
      }
    },
  };
}
