import { join } from "node:path";
import { runStep } from "./child.mjs";
import { hashFiles } from "./hash.mjs";
import { npmCi } from "./npm.mjs";
import { ensureFolder } from "./staging.mjs";

/**
 * Makes sure that node_modules holds what the lock file names, for this machine and this Node.
 * @param {{ root: string, workshop: string }} folders
 * @param {{ path: string, version: string }} node
 */
export async function ensurePackages({ root, workshop }, node) {
  await ensureFolder({
    workshop,
    target: join(root, "node_modules"),
    stamp: hashFiles(
      root,
      ["package.json", "package-lock.json"],
      [process.platform, process.arch, node.version],
    ),
    build: async (staged) => {
      console.error("Installing packages …");
      await npmCi(root, staged, node.path);
      await runStep(node.path, [join(root, "scripts/run/check-natives.mjs"), staged], {
        cwd: staged,
        failure: "Some packages did not install whole. Check the network and start again",
      });
      return join(staged, "node_modules");
    },
  });
}
