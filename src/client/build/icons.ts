import { icons } from "@iconify-json/tabler";
import type { Plugin } from "vite";

const PREFIX = "~icons/tabler/";

/** Resolves `~icons/tabler/NAME` to a component of that icon of Tabler's; src/ui/icon.tsx draws it. */
export function tablerIcons(): Plugin {
  return {
    name: "print-store:tabler-icons",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const name = id.slice(PREFIX.length + 1);
      const drawing = icons.icons[name]?.body;
      if (!drawing) throw new Error(`Tabler has no icon with the name ${name}`);
      const paths = Array.from(drawing.matchAll(/ d="([^"]+)"/g), ([, path]) => path);
      return `import { drawIcon } from "#ui/icon.tsx";
export default drawIcon(${JSON.stringify(paths)}, ${!drawing.includes('fill="none"')});`;
    },
  };
}
