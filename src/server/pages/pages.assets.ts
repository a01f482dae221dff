import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientAssets } from "./pages.renderer.ts";

const ENTRY = "entry-client.tsx";

/** One chunk in the manifest that Vite writes. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Record<string, Chunk>;

/** Reads from the build in `clientDir` what each page needs. */
export async function readClientAssets(clientDir: string): Promise<ClientAssets> {
  const manifest: Manifest = JSON.parse(await readFile(join(clientDir, ".vite/manifest.json"), "utf8"));
  const stylesOf: Record<string, string[]> = {};
  for (const key of Object.keys(manifest)) {
    // The parts of a route are chunks of their own, told apart by a query.
    const [module = key] = key.split("?");
    stylesOf[module] = [...new Set([...(stylesOf[module] ?? []), ...stylesBelow(manifest, key)])];
  }
  const paths = new Set(Object.values(stylesOf).flat());
  const styles = await Promise.all(
    [...paths].map(async (path) => [path, await readFile(join(clientDir, path), "utf8")] as const),
  );
  return { script: `/${manifest[ENTRY]?.file}`, styles: Object.fromEntries(styles), stylesOf };
}

/** The CSS of a chunk and of what it imports at once; what is imported stands first. */
function stylesBelow(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const imported = (chunk.imports ?? []).flatMap((name) => stylesBelow(manifest, name, seen));
  return [...imported, ...(chunk.css ?? []).map((file) => `/${file}`)];
}
