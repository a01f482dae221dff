import type { SourceFile } from "./sources.ts";

/** Import cycles among the files, each once, as its paths in order. What is imported as a type alone does not count. */
export function findCycles(files: SourceFile[]): string[][] {
  const targets = new Map(files.map((file) => [file.path, runtimeTargets(file)]));
  const done = new Set<string>();
  const cycles: string[][] = [];

  function visit(path: string, trail: string[]): void {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push(trail.slice(at));
    if (at >= 0 || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  }

  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

function runtimeTargets({ imports }: SourceFile): string[] {
  return imports
    .filter(({ inRepository, typeOnly }) => inRepository && !typeOnly)
    .map(({ target }) => target);
}
