import type { Plugin } from "postcss";

/** Mantine's own palettes, of which the store uses none but the greys: every page would carry 3 kB of them. */
const PALETTE = /^--mantine-color-(red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/;

/** Leaves Mantine's palettes out of the CSS. A component that needs a colour takes one of the theme's. */
export function dropPalettes(): Plugin {
  return {
    postcssPlugin: "print-store:drop-palettes",
    Declaration(declaration) {
      if (PALETTE.test(declaration.prop)) declaration.remove();
    },
  };
}
