import { expect, onTestFinished, test } from "vitest";
import { spawnServer } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temp-database.ts";

test("npm run dev serves from the sources, with an admin whose password was hashed in a thread", async () => {
  const server = await spawnServer(await tempFolder(), {}, { args: ["scripts/run.mjs", "dev"] });
  onTestFinished(() => server.stop());
  expect(server.greeting).toContainEqual(expect.stringMatching(/^Admin .*password \S+/));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
