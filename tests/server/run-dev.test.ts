import { expect, onTestFinished, test } from "vitest";
import { spawnServer } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";

test("npm run dev serves from the sources, and hashes the admin's password in a worker thread", async () => {
  const server = await spawnServer(await tempFolder(), {}, { args: ["scripts/run.mjs", "dev"] });
  onTestFinished(() => server.stop());
  expect(server.greeting).toContainEqual(expect.stringMatching(/^Admin .*password \S+/));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
