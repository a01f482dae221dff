import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { Stats } from "node:fs";
import { copyFile, mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { type Client, FairLimit, type Share, scaledShare, throwIfAborted } from "../lib/fair-limit.ts";

const run = promisify(execFile);

/** A document to convert. */
export interface OfficeFile {
  path: string;
  /** The extension that belongs to its content. */
  extension: string;
  /** An empty folder for the conversion, which the caller deletes. */
  folder: string;
}

export type Conversion = { ok: true; path: string } | { ok: false; reason: "too slow" | "failed" };

/** Makes PDFs of office documents by LibreOffice, one process for each. */
export interface OfficeConverter {
  /** Converts a document. Throws RATE_LIMITED where its account has too many, and BAD_REQUEST once `signal` has aborted. */
  convert(file: OfficeFile, client: Client): Promise<Conversion>;
}

interface ConverterSettings {
  /** Path of `soffice`. */
  soffice: string;
  /** Whether the operator has named it, so that it also runs where it cannot be isolated. */
  isWanted: boolean;
  /** A folder that no conversion may read. */
  dataDir: string;
  /** Largest PDF that may come out. */
  maxBytes: number;
  /** Multiplies how many documents of an account may wait and how long they may take in an hour; 0 means no limit. */
  scale: number;
  log: Logger;
  timeoutMs?: number;
  processorS?: number;
  memoryKb?: number;
  /** Whether namespaces are used where they are to be had. */
  isolate?: boolean;
}

/** Time of a processor: the worst of 44 real documents took 45 s. */
const PROCESSOR_S = 60;
/** A conversion gives way to everything else, so a small document may take a minute where the processors are busy. */
const TIMEOUT_MS = 180_000;
/** Each takes 220 to 410 MB and most of a core. */
const AT_ONCE = 2;
const SHARE: Share = { things: "documents", atOnce: 1, waiting: 10, hourlyMs: 15 * 60 * 1000 };
const MAX_WAITING = 50;
/** Virtual memory: a bomb of 0.4 MB ended at it after 16 s. */
const MEMORY_KB = 2_500_000;
const LOW_PRIORITY = 19;
const SESSION_PRIORITY = 10;
/** All files of a conversion together may take so many times what one may, counted this often. */
const DISK_FACTOR = 4;
const WATCH_MS = 250;

/**
 * Each conversion leads a session, and Linux may share the processor among sessions whatever their processes' priority: then a
 * session has one as well. This one takes a tenth of what others do, and goes on where all of them are busy. It may be set ten
 * times a second, by anybody on the machine.
 */
const GIVE_WAY = `if [ -w /proc/self/autogroup ]; then for _try in 1 2 3 4 5; do
{ echo ${SESSION_PRIORITY} > /proc/self/autogroup; } 2>/dev/null && break; sleep 0.1; done; fi; exec "$@"`;

/** Limits of every process of a conversion. Those who work longer, map more memory, or write larger files, are ended. */
const LIMITS = 'ulimit -c 0; ulimit -t "$SECONDS_OF_WORK"; ulimit -v "$MEMORY"; ulimit -f "$BLOCKS"; ';
/** Where an isolated conversion has its folder; what else is there is hidden, which the store's own files must not be. */
const PLACE = process.cwd().startsWith("/tmp/") ? "/mnt" : "/tmp";
/**
 * In namespaces of its own a conversion has no network, sees only its own processes, has its folder at PLACE, finds the data
 * folder empty and has no rights to undo that. `timeout` ends it where the server that started it has died.
 */
function isolation(timeoutMs: number): string[] {
  const end = String(Math.ceil((2 * timeoutMs) / 1000));
  return ["timeout", "-s", "KILL", end, "unshare", "-rnm", "--pid", "--fork", "--kill-child"];
}
const HIDE = `mount --bind "$WORK" ${PLACE} && mount -t proc none /proc && \
{ [ ! -d "$DATA" ] || mount -t tmpfs -o size=4k none "$DATA"; } && \
{ [ ! -f "$SECRETS" ] || mount --bind /dev/null "$SECRETS"; } && \
cd ${PLACE} && exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"`;
const PLAIN = 'cd "$WORK" && exec "$@"';

/** Whether this machine lets a process have namespaces of its own; most containers do not. */
async function canIsolate(dataDir: string): Promise<boolean> {
  const [command = "", ...args] = [...isolation(TIMEOUT_MS), "sh", "-c", HIDE, "sh", "true"];
  return run(command, args, { env: environmentOf(dataDir, dataDir, 1) }).then(
    () => true,
    () => false,
  );
}

/**
 * Creates the converter, which looks for what isolates conversions once. Null where there is nothing of the kind and the
 * operator has not asked for conversions.
 */
export async function createOfficeConverter({
  soffice,
  isWanted,
  dataDir,
  maxBytes,
  scale,
  log,
  timeoutMs = TIMEOUT_MS,
  processorS = PROCESSOR_S,
  memoryKb = MEMORY_KB,
  isolate = true,
}: ConverterSettings): Promise<OfficeConverter | null> {
  const limit = new FairLimit({
    workers: AT_ONCE,
    share: scaledShare(SHARE, scale),
    maxWaiting: MAX_WAITING,
  });
  const isIsolated = isolate && (await canIsolate(dataDir));
  if (!isIsolated) {
    if (!isWanted) {
      log.warn(
        "office files are not converted: conversions have no namespaces here, and SOFFICE does not ask for them",
      );
      return null;
    }
    log.warn(
      "conversions have no namespaces of their own here, so only LibreOffice's settings keep them off the network",
    );
  }

  async function convert({ path, extension, folder }: OfficeFile, client: Client): Promise<Conversion> {
    const input = `document.${extension}`;
    await prepareFolder(folder);
    await copyFile(path, join(folder, input));
    throwIfAborted(client.signal);
    const seen = isIsolated ? PLACE : folder;
    const shell = ["sh", "-c", LIMITS + (isIsolated ? HIDE : PLAIN), "sh"];
    const [command = "", ...args] = [
      ...["nice", "-n", String(LOW_PRIORITY), "sh", "-c", GIVE_WAY, "sh"],
      ...(isIsolated ? isolation(timeoutMs) : []),
      ...shell,
      soffice,
      `-env:UserInstallation=file://${seen}/profile`,
      ...["--headless", "--norestore", "--nolockcheck", "--nodefault"],
      ...(extension === "txt" ? ["--infilter=Text (encoded):UTF8,LF,Noto Sans,en-US"] : []),
      ...["--convert-to", "pdf", "--outdir", `${seen}/out`, `${seen}/${input}`],
    ];
    const child = spawn(command, args, {
      cwd: folder,
      env: {
        ...environmentOf(folder, dataDir, maxBytes),
        SECONDS_OF_WORK: String(processorS),
        MEMORY: String(memoryKb),
        HOME: seen,
        TMPDIR: seen,
        FONTCONFIG_FILE: `${seen}/fonts.conf`,
      },
      stdio: "ignore",
      // Leads a process group, which is ended as a whole.
      detached: true,
    });
    const end = await waitFor(child, {
      folder,
      maxBytes: DISK_FACTOR * maxBytes,
      timeoutMs,
      signal: client.signal,
    });
    throwIfAborted(client.signal);
    if (end !== "over") return { ok: false, reason: end };
    const output = join(await realpath(folder), "out", "document.pdf");
    const made = await statOwn(output);
    return made?.isFile() && made.size <= maxBytes
      ? { ok: true, path: output }
      : { ok: false, reason: "failed" };
  }

  return { convert: (file, client) => limit.run(client, () => convert(file, client)) };
}

/** Null for what is reached by a link, which a document that took the converter over may have made. */
async function statOwn(path: string): Promise<Stats | null> {
  const found = await realpath(path).catch(() => null);
  return found === path ? stat(path) : null;
}

/** None of the server's own, which holds its secrets. */
function environmentOf(work: string, dataDir: string, maxBytes: number): NodeJS.ProcessEnv {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    SAL_USE_VCLPLUGIN: "svp",
    WORK: work,
    DATA: dataDir,
    SECRETS: join(process.cwd(), ".env"),
    BLOCKS: String(Math.ceil(maxBytes / 512)),
  };
}

interface Watch {
  folder: string;
  /** What the files in the folder may take together. */
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Waits until the process has ended by itself, or ends it for taking too long or too much disk, and then all of its group. */
async function waitFor(
  child: ChildProcess,
  { folder, maxBytes, timeoutMs, signal }: Watch,
): Promise<"over" | "too slow" | "failed"> {
  const { promise, resolve } = Promise.withResolvers<"over" | "too slow" | "failed">();
  const kill = () => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group is gone.
    }
  };
  const giveUp = (reason: "too slow" | "failed") => {
    kill();
    resolve(reason);
  };
  const stop = () => giveUp("failed");
  const timer = setTimeout(giveUp, timeoutMs, "too slow");
  const watch = setInterval(async () => {
    if ((await bytesIn(folder)) > maxBytes) stop();
  }, WATCH_MS);
  signal?.addEventListener("abort", stop);
  child.once("error", () => resolve("over"));
  child.once("exit", () => resolve("over"));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener("abort", stop);
    kill();
  }
}

/** Size of all files in the folder; what vanishes meanwhile does not count. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Blocks links to other files and servers, and macros. */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${[
  ["BlockUntrustedRefererLinks", "true"],
  ["DisableMacrosExecution", "true"],
  ["MacroSecurityLevel", "3"],
]
  .map(
    ([name, value]) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join("\n")}
</oor:items>`;

/** Lays out a profile that nobody used before, the fonts, and an empty folder for the PDF. */
async function prepareFolder(folder: string): Promise<void> {
  const profile = join(folder, "profile", "user");
  await Promise.all([mkdir(profile, { recursive: true }), mkdir(join(folder, "out"))]);
  await writeFile(join(profile, "registrymodifications.xcu"), PROFILE);
  await writeFile(join(folder, "fonts.conf"), fontsConfig());
}

const FONT_PACKAGES = [
  "noto-sans",
  "noto-sans-bengali",
  "noto-sans-gurmukhi",
  "noto-sans-gujarati",
  "noto-sans-oriya",
  "noto-sans-tamil",
  "noto-sans-telugu",
  "noto-sans-kannada",
  "noto-sans-malayalam",
  "noto-sans-meetei-mayek",
  "noto-sans-ol-chiki",
  "noto-sans-arabic",
];

/** Fonts of Windows that fontconfig does not know as the like of one that is free. Word's headings are in Calibri Light. */
const LIKE = { "Calibri Light": "Carlito", Verdana: "DejaVu Sans" };
/**
 * Most other fonts that are missing are about as narrow as Arial. Fontconfig would take Noto Sans for them, whose tall lines
 * made 51 pages of 44.
 */
const SUBSTITUTES = `${Object.entries(LIKE)
  .map(
    ([name, other]) =>
      `<match target="pattern"><test qual="first" name="family"><string>${name}</string></test>
<edit name="family" mode="append" binding="same"><string>${other}</string></edit></match>`,
  )
  .join("")}
<match target="pattern">
<test qual="first" name="family" compare="not_eq"><string>Noto Sans</string></test>
<test name="family"><string>Noto Sans</string></test>
<edit name="family" mode="prepend" binding="weak"><string>Liberation Sans</string></edit></match>`;

/** The machine's fonts, and those of the tickets for the scripts of India. */
function fontsConfig(): string {
  const folders = FONT_PACKAGES.flatMap((name) => {
    const folder = dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${name}/package.json`)));
    return ["400Regular", "700Bold"].map((weight) => `<dir>${join(folder, weight)}</dir>`);
  });
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>${folders.join("")}${SUBSTITUTES}</fontconfig>`;
}

/** The first `soffice` on the search path; null where there is none. */
export async function findSoffice(searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter(Boolean)) {
    const path = join(folder, "soffice");
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return path;
  }
  return null;
}
