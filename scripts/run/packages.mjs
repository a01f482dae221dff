import { join } from "node:path";
import { runStep } from "./child.mjs";
import { hashFiles } from "./hash.mjs";
import { npmCi } from "./npm.mjs";
import { ensureFolder } from "./staging.mjs";

/**
 * Installs the dependencies of the lock file into node_modules, and with `dev` the devDependencies too, unless they are
 * there for this machine and this version of Node. Installed devDependencies stay. Node may still be on its way.
 * @param {{ root: string, workshop: string }} folders
 * @param {import("./runtime.mjs").Node} node
 * @param {{ dev: boolean }} options
 */
export async function ensurePackages({ root, workshop }, node, { dev }) {
  const machine = [process.platform, process.arch, node.version];
  const files = ["package.json", "package-lock.json"];
  const withDev = hashFiles(root, files, [...machine, "dependencies and devDependencies"]);
  await ensureFolder({
    workshop,
    target: join(root, "node_modules"),
    stamp: dev ? withDev : hashFiles(root, files, [...machine, "dependencies"]),
    supersets: [withDev],
    build: async (staged) => {
      console.error(dev ? "Installing packages, with those for development …" : "Installing packages …");
      await npmCi(root, staged, { dev });
      await node.ready;
      const probe = [join(root, "scripts/run/check-natives.mjs"), staged, ...(dev ? ["--dev"] : [])];
      await runStep(node.path, probe, {
        cwd: staged,
        failure: "Some packages did not install completely. Check the network and start again",
      });
      return join(staged, "node_modules");
    },
  });
}
