import { type ChildProcess, execFile, spawn } from "node:child_process";
import type { Stats } from "node:fs";
import { copyFile, mkdir, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Logger } from "pino";
import { MINUTE_MS } from "#shared/durations.ts";
import type { DiskSpace } from "../http/disk-space.ts";
import { type Client, FairLimit, type Share, scaledShare, throwIfAborted } from "../lib/fair-limit.ts";
import { BASE_FONT, OTHER_FONTS } from "../lib/font-families.ts";
import type { TextEncoding } from "./file-kinds.ts";

const run = promisify(execFile);

/** A document to convert. */
export interface OfficeFile {
  path: string;
  /** The extension that belongs to its content. */
  extension: string;
  /** Only for texts. */
  encoding?: TextEncoding | undefined;
  /** An empty folder for the conversion, which the caller deletes. */
  folder: string;
}

type Failure = "too slow" | "failed" | "no room";
export type Conversion = { ok: true; path: string } | { ok: false; reason: Failure };

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
  /** Largest PDF that may come out. */
  maxBytes: number;
  /** Multiplies how many documents of an account may wait and how long they may take in an hour; 0 means no limit. */
  scale: number;
  /** The disk of conversions, which end where it is short. */
  space: Pick<DiskSpace, "isShort">;
  log: Logger;
  timeoutMs?: number;
  processorS?: number;
  memoryKb?: number;
  /** Whether namespaces are used where they are to be had. */
  namespaces?: boolean;
  /** The same for Landlock. */
  landlock?: boolean;
}

/** CPU time: the worst of 44 real documents took 45 s. */
const PROCESSOR_S = 60;
/** Conversions run at the lowest priority, so a small document may take a minute where the processors are busy. */
const TIMEOUT_MS = 180_000;
/** Each takes 220 to 410 MB and most of a core. */
const AT_ONCE = 2;
const SHARE: Share = { things: "documents", atOnce: 1, waiting: 10, hourlyMs: 15 * MINUTE_MS };
const MAX_WAITING = 50;
/** Virtual memory: a bomb of 0.4 MB ended at it after 16 s. */
const MEMORY_KB = 2_500_000;
const LOW_PRIORITY = 19;
/** All files of a conversion together may take so many times what one may, counted this often. */
const DISK_FACTOR = 4;
const WATCH_MS = 250;

/**
 * Leads a process group, which is ended as a whole, but no session: Linux may share the processor among sessions whatever their
 * processes' priority, so that one of its own would take as much as the server.
 */
const LEAD_GROUP = ["perl", "-e", 'setpgrp; exec @ARGV or die "not run: $!"'];

/**
 * Limits of every process of a conversion. Those who work longer, map more memory, or write larger files, are ended; and where
 * memory is short, Linux ends them before the server.
 */
const LIMITS =
  'ulimit -c 0; ulimit -t "$SECONDS_OF_WORK"; ulimit -v "$MEMORY"; ulimit -f "$BLOCKS"; echo 1000 > /proc/self/oom_score_adj; ';
/**
 * Restricts a conversion by Landlock: it can only reach its own folder, LibreOffice and fonts, and no TCP where the kernel can
 * close it. Landlock needs no privileges, so it also works where a process gets no namespaces. The numbers are those of
 * linux/landlock.h.
 */
const CONFINE = `use Fcntl;
my $version = syscall(444, 0, 0, 1);
$version > 0 or die "no Landlock";
my $files = $version < 2 ? 0x1fff : $version < 3 ? 0x3fff : $version < 5 ? 0x7fff : 0xffff;
my ($connections, $scopes) = ($version < 4 ? 0 : 3, $version < 6 ? 0 : 3);
my $rules = syscall(444, pack("Q3", $files, $connections, $scopes), $version < 4 ? 8 : $version < 6 ? 16 : 24, 0);
$rules >= 0 or die "no rules: $!";
sub allow {
  my ($access, $path) = @_;
  sysopen(my $opened, $path, O_RDONLY) or return;
  my $rule = pack("Ql", $access & (-d $opened ? $files : 0x7), fileno $opened);
  syscall(445, $rules, 1, $rule, 0) == 0 or die "no rule for $path: $!";
}
allow(0xffff, shift);
allow(0x220, "/tmp");
allow(0x6, "/dev/null");
allow(0xd, $_) for split(/:/, $ENV{READABLE});
syscall(446, $rules, 0) == 0 or die "no restriction: $!";
exec @ARGV or die "not run: $!"`;

/** Folders of programs and LibreOffice's own, as Debian has them, and devices. A store's own files are in none of them. */
const READABLE = [
  ...["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/share", "/bin", "/lib", "/lib64"],
  ...["/etc/ld.so.cache", "/etc/fonts", "/usr/local/share/fonts", "/var/cache/fontconfig"],
  ...["/etc/libreoffice", "/var/lib/libreoffice", "/var/spool/libreoffice"],
  ...["/dev/zero", "/dev/urandom"],
];

/** Where a conversion with namespaces has its folder: LibreOffice leaves a socket in /tmp when it is ended. */
const PLACE = process.cwd().startsWith("/tmp/") ? "/mnt" : "/tmp";
/**
 * In namespaces of its own a conversion has no network, sees only its own processes, and has its folder at PLACE. `timeout`
 * ends it where the server that started it has died.
 */
function isolation(timeoutMs: number): string[] {
  const end = String(Math.ceil((2 * timeoutMs) / 1000));
  return ["timeout", "-s", "KILL", end, "unshare", "-rnm", "--pid", "--fork", "--kill-child"];
}
const MOVE_IN = `mount --bind "$WORK" ${PLACE} && cd ${PLACE} && \
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"`;
const STAY = 'cd "$WORK" && exec "$@"';

function confinement(folder: string): string[] {
  return ["setpriv", "--no-new-privs", "perl", "-e", CONFINE, folder];
}

/** Whether this machine lets a process have namespaces of its own; most containers do not. */
async function givesNamespaces(): Promise<boolean> {
  const [command = "", ...args] = [...isolation(TIMEOUT_MS), "sh", "-c", MOVE_IN, "sh", "true"];
  const env = { ...ENVIRONMENT, WORK: "/usr" };
  return run(command, args, { env }).then(
    () => true,
    () => false,
  );
}

/** The first version that can close TCP. */
const CLOSES_CONNECTIONS = 4;

/** Version of this machine's Landlock; 0 where there is none, or no Perl to ask for it. */
async function landlockVersion(): Promise<number> {
  const [command = "", ...args] = [...confinement("/tmp"), "perl", "-e", "print syscall(444, 0, 0, 1)"];
  const env = { ...ENVIRONMENT, READABLE: READABLE.join(":") };
  return run(command, args, { env }).then(
    ({ stdout }) => Number(stdout),
    () => 0,
  );
}

/**
 * Creates the converter. Null where this machine does not keep conversions from its files or its network and the operator has
 * not asked for them.
 */
export async function createOfficeConverter({
  soffice,
  isWanted,
  maxBytes,
  scale,
  space,
  log,
  timeoutMs = TIMEOUT_MS,
  processorS = PROCESSOR_S,
  memoryKb = MEMORY_KB,
  namespaces = true,
  landlock = true,
}: ConverterSettings): Promise<OfficeConverter | null> {
  const limit = new FairLimit({
    workers: AT_ONCE,
    share: scaledShare(SHARE, scale),
    maxWaiting: MAX_WAITING,
  });
  const hasNamespaces = namespaces && (await givesNamespaces());
  const version = landlock ? await landlockVersion() : 0;
  const open = [
    ...(version > 0 ? [] : ["the files that the server may read"]),
    ...(hasNamespaces || version >= CLOSES_CONNECTIONS ? [] : ["the network"]),
  ].join(" and ");
  if (open && !isWanted) {
    log.warn(`office files are not converted: nothing keeps them from ${open} here, and SOFFICE is not set`);
    return null;
  }
  if (open) log.warn(`only LibreOffice's settings keep office files from ${open} here`);
  const readable = [...READABLE, await programFolder(soffice), ...FONT_FOLDERS].join(":");

  async function convert(
    { path, extension, encoding, folder }: OfficeFile,
    client: Client,
  ): Promise<Conversion> {
    const input = `document.${extension}`;
    await prepareFolder(folder);
    await copyFile(path, join(folder, input));
    throwIfAborted(client.signal);
    const seen = hasNamespaces ? PLACE : folder;
    const [command = "", ...args] = [
      ...["nice", "-n", String(LOW_PRIORITY), ...LEAD_GROUP],
      ...(hasNamespaces ? isolation(timeoutMs) : []),
      ...["sh", "-c", LIMITS + (hasNamespaces ? MOVE_IN : STAY), "sh"],
      ...(version > 0 ? confinement(seen) : []),
      soffice,
      `-env:UserInstallation=file://${seen}/profile`,
      ...["--headless", "--norestore", "--nolockcheck", "--nodefault"],
      ...(encoding ? [`--infilter=Text (encoded):${ENCODINGS[encoding]},LF,Noto Sans,en-US`] : []),
      ...["--convert-to", "pdf", "--outdir", `${seen}/out`, `${seen}/${input}`],
    ];
    const child = spawn(command, args, {
      cwd: folder,
      env: {
        ...ENVIRONMENT,
        WORK: folder,
        READABLE: readable,
        BLOCKS: String(Math.ceil(maxBytes / 512)),
        SECONDS_OF_WORK: String(processorS),
        MEMORY: String(memoryKb),
        HOME: seen,
        TMPDIR: seen,
        FONTCONFIG_FILE: `${seen}/fonts.conf`,
      },
      stdio: "ignore",
    });
    const end = await waitFor(child, {
      folder,
      maxBytes: DISK_FACTOR * maxBytes,
      space,
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

/** The folder of an installation of LibreOffice; of anything else, only the program. */
async function programFolder(soffice: string): Promise<string> {
  const program = await realpath(soffice);
  const folder = dirname(program);
  return basename(folder) === "program" ? dirname(folder) : program;
}

/** None of the server's own, which holds its secrets. */
const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", SAL_USE_VCLPLUGIN: "svp" };

/** LibreOffice's names. */
const ENCODINGS: Record<TextEncoding, string> = {
  "utf-8": "UTF8",
  "utf-16": "UNICODE",
  "windows-1252": "MS_1252",
};

interface Watch {
  folder: string;
  /** What the files in the folder may take together. */
  maxBytes: number;
  space: Pick<DiskSpace, "isShort">;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Waits until the process has ended by itself, or ends it for taking too long or too much disk, and then all of its group. */
async function waitFor(
  child: ChildProcess,
  { folder, maxBytes, space, timeoutMs, signal }: Watch,
): Promise<"over" | Failure> {
  const { promise, resolve } = Promise.withResolvers<"over" | Failure>();
  const kill = () => {
    // It may not lead its group yet.
    child.kill("SIGKILL");
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group is gone.
    }
  };
  const giveUp = (reason: Failure) => {
    kill();
    resolve(reason);
  };
  const stop = () => giveUp("failed");
  const timer = setTimeout(giveUp, timeoutMs, "too slow");
  const watch = setInterval(async () => {
    if ((await bytesIn(folder)) > maxBytes) stop();
    else if (await space.isShort().catch(() => false)) giveUp("no room");
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

const SCRIPTING = "Office.Common/Security/Scripting";
const INTERNET = "Inet/Settings";
/** An address where no proxy listens. */
const NOWHERE = ["127.0.0.1", "9"] as const;
/**
 * Blocks macros and most links to other files and servers. Backgrounds, pictures in pictures and objects on slides are read all
 * the same, so servers are only asked through a proxy that is not there.
 */
const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
${[
  [SCRIPTING, "BlockUntrustedRefererLinks", "true"],
  [SCRIPTING, "DisableMacrosExecution", "true"],
  [SCRIPTING, "MacroSecurityLevel", "3"],
  [INTERNET, "ooInetProxyType", "2"],
  ...["HTTP", "HTTPS", "FTP"].flatMap((scheme) => [
    [INTERNET, `ooInet${scheme}ProxyName`, NOWHERE[0]],
    [INTERNET, `ooInet${scheme}ProxyPort`, NOWHERE[1]],
  ]),
  [INTERNET, "ooInetNoProxy", ""],
]
  .map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join("\n")}
</oor:items>`;

/** Creates a new profile, the list of fonts, and an empty folder for the PDF. */
async function prepareFolder(folder: string): Promise<void> {
  const profile = join(folder, "profile", "user");
  await Promise.all([mkdir(profile, { recursive: true }), mkdir(join(folder, "out"))]);
  await writeFile(join(profile, "registrymodifications.xcu"), PROFILE);
  await writeFile(join(folder, "fonts.conf"), fontsConfig());
}

/** Windows fonts for which fontconfig knows no free substitute. Word's headings are in Calibri Light. */
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

const FONT_FOLDERS = [BASE_FONT, ...OTHER_FONTS].flatMap(({ folder }) => {
  const path = dirname(fileURLToPath(import.meta.resolve(`@expo-google-fonts/${folder}/package.json`)));
  return ["400Regular", "700Bold"].map((weight) => join(path, weight));
});

/** The machine's fonts, and those of the tickets: for the scripts of India, and for emoji. */
function fontsConfig(): string {
  const folders = FONT_FOLDERS.map((folder) => `<dir>${folder}</dir>`);
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
