import { resolve } from "node:path";
import type { Plugin } from "vite";

/** Replaces these modules by empty ones in the server's bundle. Only browsers need them and their libraries. */
export function browserOnly(root: string, modules: readonly string[]): Plugin {
  const paths = new Set(modules.map((module) => resolve(root, module)));
  return {
    name: "print-store:browser-only",
    applyToEnvironment: (environment) => environment.name === "ssr",
    load: (id) => (paths.has(id) ? "export {};" : null),
  };
}
