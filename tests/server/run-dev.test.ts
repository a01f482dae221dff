import { expect, onTestFinished, test } from "vitest";
import { spawnServer } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";

test("npm run dev serves from the sources, and the first admin can log in with the printed password", async () => {
  const server = await spawnServer(await tempFolder(), {}, { args: ["scripts/run.mjs", "dev"] });
  onTestFinished(() => server.stop());
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/sw.js`)).text()).toContain("registration.unregister()");
  const { email = "", password = "" } =
    /^Admin +(?<email>\S+), password (?<password>\S+)/m.exec(server.greeting.join("\n"))?.groups ?? {};
  const login = await server.visitor().post("/api/v1/users/login", { email, password });
  expect([login.status, login.body.data?.role]).toEqual([200, "admin"]);
});
