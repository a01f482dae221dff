import { registerHooks } from "node:module";

/*
 * Node looks up every import anew: four thousand of them at the start, where a thousand files are loaded. One that gives a
 * file's whole name beside its own needs no looking up.
 */
registerHooks({
  resolve(specifier, context, resolve) {
    const { parentURL, conditions } = context;
    const namesFile = /^\.\.?\/.*\.(ts|m?js)$/.test(specifier);
    if (!parentURL || !namesFile || !conditions.includes("import")) return resolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, shortCircuit: true };
  },
});
