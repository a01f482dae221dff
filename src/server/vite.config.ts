import { dirname, join, relative, resolve, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;
const repository = resolve(root, "../..");
const output = resolve(repository, "dist/server");

/**
 * What the server is made of, and what that is made of: to find a file takes longer than to run it. What has native parts,
 * finds files beside its own or is loaded when it is needed first is left where it is.
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

/** Its messages in fifty languages come with every one of its schemas; English alone is spoken here. */
const ENGLISH = { find: /^\.\.\/locales\/index\.js$/, replacement: "../locales/en.js" };

/**
 * `vite build --config src/server/vite.config.ts` puts the server and the libraries that it is made of into few files, of
 * which `dist/server/main.js` is the one to start: to find nine hundred takes most of the time of a start. Its worker
 * threads are run from their sources.
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
          // All in one folder, so that what is beside a source is as far from each.
          output: { chunkFileNames: "[name]-[hash].js" },
        },
      },
    },
  },
});

/** What is beside a source, a worker or the built pages, is looked for beside it, wherever its code has gone. */
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
