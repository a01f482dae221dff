import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { examine, type Finding } from "./findings.ts";
import type { AnsweredUpload, Ledger } from "./ledger.ts";
import type { Remains } from "./remains.ts";

type FileRow = Remains["files"][number];

/** Whether rows and bytes belong together, and every upload that was answered is still what was sent. */
export function checkFiles({ files: rows }: Remains, dataDir: string, ledger: Ledger): Finding[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byKey = new Map(rows.map((row) => [row.storage_key, row]));
  const pathOf = ({ storage_key: key }: FileRow) =>
    join(dataDir, "files/kept", key.slice(0, 2), key.slice(2, 4), key);
  const all = existsSync(dataDir) ? readdirSync(dataDir, { recursive: true, encoding: "utf8" }) : [];
  const isFile = (name: string) => statSync(join(dataDir, name)).isFile();
  const kept = all.filter((name) => name.startsWith("files/kept/") && isFile(name));
  const leftovers = all.filter((name) => isLeftover(name) && isFile(name));
  return [
    examine("uploads answered: row, bytes and SHA-256", ledger.uploads, ([id, upload]) =>
      faultOfUpload(byId.get(id), upload, pathOf),
    ),
    examine("rows of files: bytes on disk, or erased", rows, (row) => {
      const isThere = existsSync(pathOf(row));
      if (row.deleted_at) return isThere || !row.erased_at ? `${row.id} is deleted and not erased` : null;
      if (!isThere) return `${row.id} has no bytes${row.order_id ? ", and is ordered" : ""}`;
      return hashOf(pathOf(row)) === row.sha256 ? null : `${row.id} has other bytes`;
    }),
    examine("bytes on disk: a row that is not deleted", kept, (name) => {
      const row = byKey.get(basename(name));
      return row && !row.deleted_at ? null : `${name} belongs to no row`;
    }),
    examine("half-written files", leftovers, (name) => `${name} was left behind`),
  ];
}

function faultOfUpload(
  row: FileRow | undefined,
  { sha256, removal }: AnsweredUpload,
  pathOf: (row: FileRow) => string,
): string | null {
  if (!row) return "an answered upload has no row";
  if (row.sha256 !== sha256) return `${row.id} has the hash of another file`;
  if (removal === "answered" && !row.deleted_at) return `${row.id} was removed and is still there`;
  if (row.deleted_at) return row.order_id || removal !== "none" ? null : `${row.id} is gone`;
  if (!existsSync(pathOf(row))) return `${row.id} has lost its bytes`;
  return hashOf(pathOf(row)) === sha256 ? null : `${row.id} has other bytes than were sent`;
}

/** What only stands somewhere while something is being written. */
function isLeftover(name: string): boolean {
  return /\.part$|^files\/(incoming|keeping)\/|^packs\/|^secret\./.test(name);
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
