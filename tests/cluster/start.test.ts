import { once } from "node:events";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { readDemoShops } from "#db/seed/seed.ts";
import { readConfig } from "#server/config.ts";
import { moveFiles } from "../../scripts/move-files/move-files.ts";
import { visitorAs } from "../factories/students.ts";
import { tempFolder } from "../setup/temporary.ts";
import { TestCluster } from "../setup/test-cluster.ts";

const clusters: TestCluster[] = [];
const connections: pg.Client[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.end();
  for (const cluster of clusters.splice(0)) await cluster.stop();
});

async function openCluster(options?: { isEmpty: boolean }): Promise<TestCluster> {
  const cluster = await TestCluster.open({}, options);
  clusters.push(cluster);
  return cluster;
}

async function connect({ settings }: TestCluster): Promise<pg.Client> {
  const connection = new pg.Client(settings.DATABASE_URL);
  connections.push(connection);
  await connection.connect();
  return connection;
}

const ALONE = { UPLOADTHING_TOKEN: "" };

test("three servers that start at the same moment on an empty database create one store with one admin", async () => {
  const cluster = await openCluster({ isEmpty: true });

  const servers = await Promise.all([cluster.spawn(), cluster.spawn(), cluster.spawn()]);

  const notes = servers.map(({ greeting }) => greeting.join("\n"));
  const passwords = notes.flatMap((note) => /password (\S+) \(shown only this once\)/.exec(note)?.[1] ?? []);
  expect(passwords).toHaveLength(1);
  expect(notes.filter((note) => note.includes("Demo shops are in place"))).toHaveLength(1);
  const admin = { email: "admin@print-store.invalid", password: passwords[0] ?? "" };
  for (const server of servers) {
    const visitor = await visitorAs(server, admin);
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
  // Its files are not in this folder, and it would go on storing them on its disk.
  const elsewhere = readConfig({ ...cluster.settings, DATA_DIR: await tempFolder() });
  await expect(moveFiles(elsewhere, () => {})).rejects.toThrow(
    /^DATABASE_URL: a server uses this database\. Stop it first$/,
  );
  await first.stop();
  await cluster.server();
  await cluster.server();
  await expect(cluster.server(ALONE)).rejects.toThrow("another server uses this database");
});

test("a server that must be the only one ends where another takes its place while its connection is lost", async () => {
  const cluster = await openCluster();
  const server = await cluster.spawn(ALONE);
  const ended = once(server.child, "exit");
  const [other, admin] = [await connect(cluster), await connect(cluster)];
  const held = `from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory'`;
  // As another server that waits for the place.
  const taken = other.query(
    `select pg_advisory_lock(classid::bigint << 32 | objid::bigint) ${held} and granted`,
  );
  const waiting = () => admin.query(`select 1 ${held} and not granted`);
  await expect.poll(waiting).toMatchObject({ rowCount: 1 });
  await admin.query(`select pg_terminate_backend(pid) ${held} and granted`);
  await taken;

  expect(await ended).toEqual([1, null]);
  expect(server.lines.join()).toContain(
    "another server uses this database since the connection to it was lost",
  );
});
