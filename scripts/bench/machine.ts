import { arch, cpus, platform, release, totalmem } from "node:os";
import Sqlite from "better-sqlite3";

const GB = 1024 ** 3;

/** Each line a fact about what the bench ran on. */
export function describeMachine(): string[] {
  const [first] = cpus();
  const sqlite = new Sqlite(":memory:");
  const version = sqlite.prepare("select sqlite_version()").pluck().get();
  sqlite.close();
  return [
    `${cpus().length} cores, ${first?.model.trim() ?? "of an unknown kind"}`,
    `${(totalmem() / GB).toFixed(0)} GB of memory`,
    `${platform()} ${release()} on ${arch()}`,
    `Node ${process.versions.node}, SQLite ${version}`,
  ];
}
