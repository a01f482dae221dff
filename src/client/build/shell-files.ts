import type { Plugin, Rollup } from "vite";

/** Replaces `__SHELL__` in the service worker by the paths of the scripts and fonts that every page of the client loads. */
export function shellFiles(): Plugin {
  let shell: string[] = [];
  return {
    name: "print-store:shell-files",
    // One instance for both builds: the client's tells the service worker's.
    sharedDuringBuild: true,
    applyToEnvironment: ({ name }) => name === "client" || name === "serviceWorker",
    transform(code, id) {
      if (this.environment.name !== "serviceWorker" || !id.endsWith("/sw.ts")) return null;
      return { code: code.replaceAll(/\b__SHELL__\b/g, JSON.stringify(shell)), map: null };
    },
    generateBundle(_options, bundle) {
      if (this.environment.name === "client") shell = pathsOf(bundle);
    },
  };
}

function pathsOf(bundle: Rollup.OutputBundle): string[] {
  const files = Object.values(bundle);
  const entries = files.filter((file) => file.type === "chunk" && file.isEntry);
  const scripts = new Set(entries.map(({ fileName }) => fileName));
  for (const name of scripts) {
    const chunk = bundle[name];
    if (chunk?.type === "chunk") for (const imported of chunk.imports) scripts.add(imported);
  }
  const fonts = files.map(({ fileName }) => fileName).filter((name) => name.endsWith(".woff2"));
  return [...scripts, ...fonts].map((name) => `/${name}`);
}
