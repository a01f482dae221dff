import { resolve } from "node:path";
import type { Plugin } from "vite";

/**
 * Empties these modules in the server's bundle. They are imported by `import()` when a browser needs them, and bring
 * libraries that the server would load for nothing.
 */
export function browserOnly(root: string, modules: readonly string[]): Plugin {
  const paths = new Set(modules.map((module) => resolve(root, module)));
  return {
    name: "print-store:browser-only",
    applyToEnvironment: (environment) => environment.name === "ssr",
    load: (id) => (paths.has(id) ? "export {};" : null),
  };
}
