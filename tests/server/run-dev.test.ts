import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { BARE_ENVIRONMENT } from "../setup/bare-environment.ts";
import { freePort } from "../setup/free-port.ts";

test("npm run dev serves from the sources, with an admin whose password was hashed in a thread", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  const child = spawn(process.execPath, ["scripts/run.mjs", "dev"], {
    env: { ...BARE_ENVIRONMENT, DATA_DIR: dataDir, PORT: String(await freePort()) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
    await rm(dataDir, { recursive: true, force: true });
  });

  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (/^Mails |cannot start/.test(line)) break;
  }

  const url = /open at (\S+)/.exec(said.join("\n"))?.[1];
  expect(said).toContainEqual(expect.stringMatching(/^Admin .*password \S+/));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
