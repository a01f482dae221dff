import type { Plugin } from "postcss";

/** Mantine's palettes that the store does not use, 3 kB of every page. */
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
