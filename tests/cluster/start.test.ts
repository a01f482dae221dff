import { afterEach, expect, test } from "vitest";
import { readDemoShops } from "#db/seed/seed.ts";
import { TestCluster } from "../setup/test-cluster.ts";

const clusters: TestCluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.stop();
});

async function openCluster(options?: { isEmpty: boolean }): Promise<TestCluster> {
  const cluster = await TestCluster.open({}, options);
  clusters.push(cluster);
  return cluster;
}

const ALONE = { UPLOADTHING_TOKEN: "" };

test("three servers that start at the same moment on an empty database create one store with one admin", async () => {
  const cluster = await openCluster({ isEmpty: true });

  const servers = await Promise.all([cluster.spawn(), cluster.spawn(), cluster.spawn()]);

  const notes = servers.map(({ greeting }) => greeting.join("\n"));
  const passwords = notes.flatMap((note) => /password (\S+) \(shown only this once\)/.exec(note)?.[1] ?? []);
  expect(passwords).toHaveLength(1);
  expect(notes.filter((note) => note.includes("Demo shops are in place"))).toHaveLength(1);
  const admin = { email: "admin@print-store.invalid", password: passwords[0] };
  for (const server of servers) {
    const visitor = server.visitor();
    expect((await visitor.post("/api/v1/users/login", admin)).status).toBe(200);
    const shops = (await visitor.get("/api/v1/prints/shopslocation")).body.data;
    expect(shops).toHaveLength(readDemoShops().shops.length);
    expect(server.lines).toEqual([]);
  }
});

test("a server with files on its own disk must be the only one on the database", async () => {
  const cluster = await openCluster();
  const first = await cluster.server(ALONE);
  await expect(cluster.server(ALONE)).rejects.toThrow(
    /^DATABASE_URL: another server uses this database\. Without UPLOADTHING_TOKEN there can be one only$/,
  );
  await expect(cluster.server()).rejects.toThrow(
    /^DATABASE_URL: a server without UPLOADTHING_TOKEN uses this database, and must be the only one$/,
  );
  await first.stop();
  await cluster.server();
  await cluster.server();
  await expect(cluster.server(ALONE)).rejects.toThrow("another server uses this database");
});
