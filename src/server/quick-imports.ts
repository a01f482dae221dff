import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

/*
 * Node looks up every import anew: four thousand of them at the start, where nine hundred files are loaded. One that gives a
 * file's whole name, beside its own or behind one of our `#` names, needs no looking up.
 */

const ROOT = new URL("../../", import.meta.url);
const { imports } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
/** Such as `#db/` with the URL of its folder. */
const FOLDERS = Object.entries<string>(imports).map(
  ([name, path]) => [name.slice(0, -1), new URL(path.slice(0, -1), ROOT).href] as const,
);

registerHooks({
  resolve(specifier, context, resolve) {
    const url = context.conditions.includes("import") ? urlOf(specifier, context.parentURL) : null;
    return url === null ? resolve(specifier, context) : { url, shortCircuit: true };
  },
});

/** Null where it takes more to find the file. */
function urlOf(specifier: string, parentUrl: string | undefined): string | null {
  if (!/\.(ts|m?js)$/.test(specifier)) return null;
  if (/^\.\.?\//.test(specifier)) return parentUrl ? new URL(specifier, parentUrl).href : null;
  const folder = FOLDERS.find(([name]) => specifier.startsWith(name));
  return folder ? folder[1] + specifier.slice(folder[0].length) : null;
}
