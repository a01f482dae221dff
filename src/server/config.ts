import { isIP, type NetConnectOpts } from "node:net";
import { join, resolve } from "node:path";
import proxyAddr from "proxy-addr";
import { z } from "zod";
import { isPostgresUrl } from "#db/open.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { SHORTEST_SECRET } from "./lib/crypto.ts";
import { IN_DATA_DIR } from "./lib/data-dir.ts";

/** Where files are stored at UploadThing. It holds a secret: never log it. */
export interface UploadThingSettings {
  /** The token from UploadThing's dashboard: the next three values in base64. */
  token: string;
  apiKey: string;
  appId: string;
  /** The upload URL, without a trailing slash. */
  ingestUrl: string;
  /** Null: UploadThing's own. */
  apiUrl: string | null;
  /** The host that serves files; null: UploadThing's own. */
  ufsHost: string | null;
}

const content = z.object({
  apiKey: z.string().startsWith("sk_"),
  appId: z.string().regex(/^\w+$/),
  regions: z.tuple([z.string().regex(/^[\w-]+$/)], z.string()),
  ingestHost: z.string().default("ingest.uploadthing.com"),
});

const uploadThingToken = z.string().transform((token, context) => {
  const parsed = content.safeParse(decode(token));
  if (parsed.success) return { token, ...parsed.data };
  context.addIssue("is no token of UploadThing. Copy the whole of it from its dashboard, under API Keys");
  return z.NEVER;
});

/** Combines the UPLOADTHING_ settings; all but the token are for emulators and proxies. */
function uploadThingOf(given: {
  UPLOADTHING_TOKEN?: z.output<typeof uploadThingToken> | undefined;
  UPLOADTHING_API_URL?: string | undefined;
  UPLOADTHING_INGEST_URL?: string | undefined;
  UPLOADTHING_UFS_HOST?: string | undefined;
}): UploadThingSettings | null {
  if (!given.UPLOADTHING_TOKEN) return null;
  const { token, apiKey, appId, regions, ingestHost } = given.UPLOADTHING_TOKEN;
  const ingestUrl = given.UPLOADTHING_INGEST_URL ?? `https://${regions[0]}.${ingestHost}`;
  return {
    token,
    apiKey,
    appId,
    ingestUrl: ingestUrl.replace(/\/$/, ""),
    apiUrl: given.UPLOADTHING_API_URL ?? null,
    ufsHost: given.UPLOADTHING_UFS_HOST ?? null,
  };
}

function decode(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, "base64").toString());
  } catch {
    return undefined;
  }
}

const MB = 1024 * 1024;

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

/** Comma-separated addresses, ranges such as 10.0.0.0/8, and the names that proxy-addr knows. */
const proxies = z.string().transform((text, issues) => {
  try {
    return proxyAddr.compile(text.split(",").map((part) => part.trim()));
  } catch {
    issues.addIssue(
      "must be IP addresses, ranges such as 10.0.0.0/8, loopback or uniquelocal, with commas between",
    );
    return z.NEVER;
  }
});

/** tcp://host:port, or unix:/path for a socket. */
const clamdAddress = z.string().transform((text, issues): NetConnectOpts => {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/.exec(text) ?? [];
  if (path) return { path };
  const url = URL.parse(text);
  if (url?.protocol === "tcp:" && url.hostname && url.port && /^\/?$/.test(url.pathname))
    return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port) };
  issues.addIssue("must be tcp://HOST:PORT or unix:/PATH");
  return z.NEVER;
});

/** A setting's description for README.md and .env.example, and its default where that is not a plain value. */
interface SettingDocs {
  description: string;
  standard?: string;
  example?: string;
}

function setting<Schema extends z.ZodType>(schema: Schema, docs: SettingDocs): Schema {
  return schema.meta({ ...docs });
}

const sender = z
  .string()
  .regex(/^([^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, "must be an address, or NAME <ADDRESS>");

const url = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" });

const ORIGIN = "must be an address such as https://print.example, without a path";
const origin = z.url({ protocol: /^https?$/, error: ORIGIN }).refine((text) => {
  const parsed = URL.parse(text);
  return parsed?.href === `${parsed?.origin}/`;
}, ORIGIN);

const mailServer = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: "must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before HOST if it asks for them",
});

const environment = z.object({
  NODE_ENV: setting(z.enum(["production", "development", "test"]).default("development"), {
    description: "`production` for a store that serves real people.",
    example: "production",
  }),
  PORT: setting(z.coerce.number().int().min(0).max(65535).default(3000), {
    description: "Port where the server listens, in plain http: TLS is the proxy's job.",
  }),
  HOST: setting(z.string().min(1).default("127.0.0.1"), { description: "Address where the server listens." }),
  PUBLIC_URL: setting(origin.optional(), {
    description:
      "Origin under which people reach the store: for links in mails, the origin check, and secure cookies and HSTS under https.",
    standard: "http://HOST:PORT",
    example: "https://print.example",
  }),
  TRUSTED_PROXIES: setting(
    proxies.default(() => proxyAddr.compile("loopback")),
    {
      description:
        "Proxies whose `X-Forwarded-For` is trusted: addresses, ranges such as 10.0.0.0/8, `loopback` or `uniquelocal`, separated by commas. If your proxy is missing here, everybody shares its address and its rate limits.",
      standard: "loopback",
      example: "10.0.0.1,10.0.1.0/24",
    },
  ),
  DATA_DIR: setting(z.string().min(1).default("./data"), {
    description:
      "Folder of the SQLite database, the uploaded files and the generated secret. Each server needs its own, also with PostgreSQL.",
  }),
  DATABASE_URL: setting(
    z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, "must begin with file: or postgres://")
      .optional(),
    {
      description:
        "SQLite as `file:PATH`, or PostgreSQL as `postgres://user:password@host/database` (`?sslmode=verify-full` for TLS), which several servers can share when their files are at UploadThing.",
      standard: "store.sqlite in DATA_DIR",
      example: "postgres://user:password@host/database",
    },
  ),
  DATABASE_POOL_SIZE: setting(z.coerce.number().int().min(2).max(500).default(10), {
    description: "Connections of one server to PostgreSQL, besides one that listens for events.",
  }),
  DATABASE_STATEMENT_SECONDS: setting(z.coerce.number().min(0.1).max(600).default(30), {
    description:
      "How long a statement may take on PostgreSQL, and a transaction may be idle; after that the caller gets a 503.",
  }),
  SMTP_URL: setting(mailServer.optional(), {
    description: "Mail server. Unset: mails stay in the database and can be read at `/mailbox`.",
    example: "smtp://user:password@mail.example:587",
  }),
  MAIL_FROM: setting(sender.default("Print Store <no-reply@print-store.invalid>"), {
    description: "Sender of all mails. Mail servers may refuse the default.",
    example: "Print Store <no-reply@print.example>",
  }),
  ADMIN_EMAIL: setting(z.email().toLowerCase().optional(), {
    description:
      "The first admin, created once at the first start; later changes are not applied (use `create-admin`). Unset: `admin@print-store.invalid`, which no mail reaches; its password is printed once.",
    example: "admin@print.example",
  }),
  ADMIN_PASSWORD: setting(z.string().optional(), {
    description: "Password of that first admin, at least 12 characters.",
    example: "at-least-12-characters",
  }),
  SECRET: setting(
    z.string().min(SHORTEST_SECRET, `must be at least ${SHORTEST_SECRET} characters long`).optional(),
    {
      description:
        "Signs file links and keys hashes; at least 32 characters, the same on all servers that share a database. A new one voids codes, those of the day at the counter too, links in mails to files, to undo a UPI ID and to confirm a shop's email, known devices, and the authenticator apps and recovery codes of staff, and stops notifications until students turn them on again; sessions, passkeys, invitations and links for a new password stay valid.",
      standard: "generated once, kept in DATA_DIR",
      example: "",
    },
  ),
  UPLOADTHING_TOKEN: setting(uploadThingToken.optional(), {
    description:
      "Keeps uploaded files at UploadThing, in an app that allows private files. Unset: in DATA_DIR. Existing files are moved by `npm run move-files`.",
    example: "",
  }),
  UPLOADTHING_API_URL: setting(url.optional(), {
    description: "Other address of UploadThing's API, for an emulator or a proxy.",
    standard: "UploadThing's own",
    example: "http://localhost:9000",
  }),
  UPLOADTHING_INGEST_URL: setting(url.optional(), {
    description: "Other address for uploads to UploadThing.",
    standard: "UploadThing's own",
    example: "http://localhost:9000",
  }),
  UPLOADTHING_UFS_HOST: setting(
    z
      .string()
      .regex(/^[\w.-]+(:\d+)?$/, "must be a host")
      .optional(),
    {
      description: "Other host for reading files from UploadThing.",
      standard: "UploadThing's own",
      example: "localhost:9000",
    },
  ),
  MAX_UPLOAD_MB: setting(z.coerce.number().positive().max(2000).default(100), {
    description: "Largest file that can be uploaded, in megabytes.",
  }),
  PRINT_GRACE_MINUTES: setting(
    z.coerce
      .number()
      .min(0)
      .max(24 * 60)
      .default(30),
    {
      description:
        "How long the files of a printed order are kept, so that staff can undo the print; they are deleted earlier when the order leaves the shop, and later while it is on hold. 0: at once.",
    },
  ),
  MAX_UNORDERED_MB: setting(z.coerce.number().positive().max(10_000_000).optional(), {
    description:
      "How many megabytes the files of one account may take that are not ordered; with orders that are not printed, four times as much.",
    standard: "1000, or five times MAX_UPLOAD_MB if that is more",
    example: "1000",
  }),
  MAX_ALL_UNORDERED_MB: setting(z.coerce.number().positive().max(1_000_000_000).optional(), {
    description:
      "The same for all accounts together, on disk or at UploadThing. Beyond it uploads are refused; orders, logins and mails go on.",
    standard: "fifty times MAX_UNORDERED_MB",
    example: "50000",
  }),
  MIN_FREE_MB: setting(z.coerce.number().min(0).default(1024), {
    description:
      "Free megabytes that uploads must leave on the disk of DATA_DIR; below it uploads are refused, and orders, logins and mails go on.",
  }),
  CLAMD_URL: setting(clamdAddress.optional(), {
    description:
      "ClamAV daemon that scans all uploads: `tcp://HOST:PORT` or `unix:/PATH`. When set, no file is accepted without a scan.",
    example: "unix:/run/clamav/clamd.ctl",
  }),
  SOFFICE: setting(z.string().min(1).optional(), {
    description:
      "LibreOffice's `soffice`, which makes PDFs of Word, PowerPoint and other office files. `off`: only PDFs and photos are accepted.",
    standard: "the one on the PATH, if there is one",
    example: "/usr/bin/soffice",
  }),
  RATE_LIMIT_SCALE: setting(z.coerce.number().min(0).default(1), {
    description: "Multiplies all rate limits; 0 turns them off.",
  }),
  SEED_DEMO: setting(flag.optional(), {
    description: "Creates demo shops in an empty store.",
    standard: "true, but false with NODE_ENV=production",
    example: "false",
  }),
  SERVICE_WORKER: setting(flag.default(true), {
    description:
      "false takes the service worker, which keeps pages for times without internet, out of all browsers that open the store again. `npm run dev` does not use it.",
    example: "false",
  }),
  STOP_DELAY_SECONDS: setting(z.coerce.number().min(0).max(60).default(0), {
    description:
      "How long a stopping server still serves requests while `/readyz` says that it is not ready, so that a proxy can switch to other servers.",
    example: "5",
  }),
  METRICS_TOKEN: setting(z.string().min(16, "must be at least 16 characters long").optional(), {
    description:
      "Bearer token with which a monitor reads `/metrics`, at least 16 characters. Unset: only admins may, and in development anybody on this machine.",
    example: "",
  }),
  LOG_LEVEL: setting(z.enum(["silent", "error", "warn", "info", "debug"]).default("info"), {
    description: "silent, error, warn, info or debug (which adds read requests); JSON lines on stderr.",
  }),
});

export interface Setting extends SettingDocs {
  name: string;
}

/** All settings with their docs, in the order of README.md. */
export const SETTINGS: Setting[] = Object.entries(environment.shape).map(([name, schema]) => ({
  name,
  ...(schema instanceof z.ZodDefault && { standard: String(schema.def.defaultValue) }),
  ...(schema.meta() as SettingDocs),
}));

export type Config = ReturnType<typeof readConfig>;

/** Parses the environment; no other code reads it. Throws a one-line Error that names the wrong setting. */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
  const parsed = environment.safeParse(given, { error: numberFault });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const e = parsed.data;
  if ((e.ADMIN_EMAIL === undefined) !== (e.ADMIN_PASSWORD === undefined)) {
    throw new Error("ADMIN_EMAIL and ADMIN_PASSWORD must be set together");
  }
  if (e.UPLOADTHING_TOKEN && isPostgresUrl(e.DATABASE_URL ?? "") && !e.SECRET) {
    throw new Error("SECRET must be set, to the same on every server that shares the database");
  }
  if (e.MAX_UNORDERED_MB !== undefined && e.MAX_UNORDERED_MB < e.MAX_UPLOAD_MB) {
    throw new Error("MAX_UNORDERED_MB: must be at least MAX_UPLOAD_MB");
  }
  const maxUnorderedMb = e.MAX_UNORDERED_MB ?? Math.max(1000, 5 * e.MAX_UPLOAD_MB);
  const maxAllUnorderedMb = e.MAX_ALL_UNORDERED_MB ?? 50 * maxUnorderedMb;
  if (maxAllUnorderedMb < maxUnorderedMb) {
    throw new Error("MAX_ALL_UNORDERED_MB: must be at least MAX_UNORDERED_MB");
  }
  const dataDir = resolve(e.DATA_DIR);
  const isProduction = e.NODE_ENV === "production";
  return {
    isProduction,
    port: e.PORT,
    host: e.HOST,
    /** Without a trailing slash; null: http at the listening address. */
    publicUrl: e.PUBLIC_URL ? new URL(e.PUBLIC_URL).origin : null,
    isTrustedProxy: e.TRUSTED_PROXIES,
    dataDir,
    databaseUrl: e.DATABASE_URL ?? `file:${join(dataDir, IN_DATA_DIR.database)}`,
    databasePoolSize: e.DATABASE_POOL_SIZE,
    databaseStatementMs: Math.round(e.DATABASE_STATEMENT_SECONDS * 1000),
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM,
    admin: e.ADMIN_EMAIL && e.ADMIN_PASSWORD ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD } : null,
    /** Null: generated and kept in the data folder. */
    secret: e.SECRET ?? null,
    printGraceMs: Math.round(e.PRINT_GRACE_MINUTES * MINUTE_MS),
    maxUploadBytes: Math.floor(e.MAX_UPLOAD_MB * MB),
    maxUnorderedBytes: Math.floor(maxUnorderedMb * MB),
    maxAllUnorderedBytes: Math.floor(maxAllUnorderedMb * MB),
    minFreeBytes: Math.floor(e.MIN_FREE_MB * MB),
    /** Path of LibreOffice, or where to look for it; null: office files are refused. */
    soffice: e.SOFFICE === "off" ? null : (e.SOFFICE ?? (env.PATH ? { searchPath: env.PATH } : null)),
    rateLimitScale: e.RATE_LIMIT_SCALE,
    seedDemo: e.SEED_DEMO ?? !isProduction,
    hasServiceWorker: e.SERVICE_WORKER,
    stopDelayMs: e.STOP_DELAY_SECONDS * 1000,
    clamd: e.CLAMD_URL ?? null,
    metricsToken: e.METRICS_TOKEN ?? null,
    uploadThing: uploadThingOf(e),
    logLevel: e.LOG_LEVEL,
  };
}

/** Zod's own message for a text that is no number names NaN. */
function numberFault(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  return issue.expected === "int" ? "must be a whole number" : "must be a number";
}

/** The URL of a listening address: IPv6 hosts in brackets, wildcard addresses as localhost. */
export function listeningUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
