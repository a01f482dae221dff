import { readFileSync } from "node:fs";

/** What the Dockerfile says about the image, mostly in its last stage. */
export interface ImagePlan {
  /** Packages that are uninstalled after the build. */
  uninstalled: string[];
  /** Copied files and folders, of the repository or of earlier stages. */
  contents: string[];
  env: Record<string, string>;
  /** The command of Docker's health check. */
  healthCheck: string[];
  command: string[];
}

export function readDockerfile(path = "Dockerfile"): ImagePlan {
  const text = readFileSync(path, "utf8").replaceAll(/\\\n/g, " ");
  const stage = text.slice(text.lastIndexOf("\nFROM ")).split("\n");
  const argumentsOf = (instruction: string) =>
    stage
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));
  const [health = ""] = argumentsOf("HEALTHCHECK");
  const [command = ""] = argumentsOf("CMD");
  const [, uninstalled = ""] = /npm uninstall ([^&\n]+)/.exec(text) ?? [];
  return {
    uninstalled: uninstalled
      .trim()
      .split(/ +/)
      .filter((word) => !word.startsWith("--")),
    contents: argumentsOf("COPY").flatMap((line) => {
      const words = line.split(" ").filter((word) => !word.startsWith("--"));
      return words.slice(0, -1).map((word) => word.replace(/^\/app\//, ""));
    }),
    env: Object.fromEntries(
      argumentsOf("ENV").flatMap((line) =>
        line.split(" ").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]),
      ),
    ),
    healthCheck: JSON.parse(health.slice(health.indexOf("["))),
    command: JSON.parse(command),
  };
}
