import { dirname, join, relative, resolve, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;
const repository = resolve(root, "../..");
const output = resolve(repository, "dist/server");

/**
 * The libraries that are bundled with the server, and their dependencies: finding a file takes longer than running it. Not
 * bundled are those that have native parts, find files beside their own, or are loaded on first use.
 */
const LIBRARIES = [
  ...["hono", /^@hono\//, "@asteasolutions/zod-to-openapi", "zod", /^@trpc\//],
  ...["kysely", "lucia", /^@oslojs\//],
  ...["pino", /^pino-/, "@pinojs/redact", "atomic-sleep", "on-exit-leak-free", "quick-format-unescaped"],
  ...["safe-stable-stringify", "sonic-boom", "lru-cache"],
  ...["prom-client", "@opentelemetry/api", "tdigest", "bintrees"],
  ...["bowser", "busboy", "streamsearch", "content-disposition", "range-parser"],
  ...["proxy-addr", "forwarded", "ipaddr.js"],
];

/** Zod loads its messages in fifty languages with every schema; the server needs English only. */
const ENGLISH = { find: /^\.\.\/locales\/index\.js$/, replacement: "../locales/en.js" };

/**
 * `vite build --config src/server/vite.config.ts` bundles the server and these libraries into a few files, because finding nine
 * hundred takes most of the time of a start. Start `dist/server/main.js`; worker threads run from their sources.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [placesOfSources()],
  resolve: { alias: [ENGLISH] },
  builder: {
    async buildApp({ environments: { ssr }, build }) {
      if (ssr) await build(ssr);
    },
  },
  environments: {
    ssr: {
      resolve: { noExternal: LIBRARIES },
      build: {
        outDir: output,
        emptyOutDir: true,
        target: "node24",
        sourcemap: true,
        rolldownOptions: {
          input: resolve(root, "main.ts"),
          // All chunks are in one folder, so that the relative path to a source is the same from each.
          output: { chunkFileNames: "[name]-[hash].js" },
        },
      },
    },
  },
});

/**
 * Lets bundled code find what lies beside its source, such as a worker: replaces `import.meta.url` and `dirname` by those of
 * the source.
 */
function placesOfSources(): Plugin {
  const isOurs = (path: string) =>
    ["src", "db"].some((folder) => path.startsWith(join(repository, folder) + sep));
  return {
    name: "print-store:places-of-sources",
    transform(code, path) {
      if (!isOurs(path) || !code.includes("import.meta.")) return null;
      const url = (of: string) => `new URL(${JSON.stringify(relative(output, of))}, import.meta.url)`;
      const placed = code.replaceAll(/import\.meta\.(url|dirname)\b/g, (_found, what) =>
        what === "url"
          ? `${url(path)}.href`
          : `process.getBuiltinModule("node:url").fileURLToPath(${url(dirname(path))})`,
      );
      return { code: placed, map: null };
    },
  };
}
