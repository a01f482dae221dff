import { isIP, type NetConnectOpts } from "node:net";
import { join, resolve } from "node:path";
import proxyAddr from "proxy-addr";
import { z } from "zod";
import { isPostgresUrl } from "#db/open.ts";
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
    issues.addIssue("must be IP addresses or ranges such as 10.0.0.0/8, with commas between");
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

const environment = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: proxies.default(() => proxyAddr.compile("loopback")),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^(file:.|postgres(ql)?:\/\/.)/, "must begin with file: or postgres://")
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).default(10),
  DATABASE_STATEMENT_SECONDS: z.coerce.number().min(0.1).max(600).default(30),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  ADMIN_EMAIL: z.email().toLowerCase().optional(),
  ADMIN_PASSWORD: z.string().optional(),
  SECRET: z.string().min(32, "must be at least 32 characters long").optional(),
  MAX_UPLOAD_MB: z.coerce.number().positive().max(2000).default(100),
  PRINT_GRACE_MINUTES: z.coerce
    .number()
    .min(0)
    .max(24 * 60)
    .default(30),
  MAX_UNORDERED_MB: z.coerce.number().positive().max(10_000_000).optional(),
  MAX_ALL_UNORDERED_MB: z.coerce.number().positive().max(1_000_000_000).optional(),
  MIN_FREE_MB: z.coerce.number().min(0).default(1024),
  RATE_LIMIT_SCALE: z.coerce.number().min(0).default(1),
  SEED_DEMO: flag.optional(),
  STOP_DELAY_SECONDS: z.coerce.number().min(0).max(60).default(0),
  CLAMD_URL: clamdAddress.optional(),
  METRICS_TOKEN: z.string().min(16, "must be at least 16 characters long").optional(),
  UPLOADTHING_TOKEN: uploadThingToken.optional(),
  UPLOADTHING_API_URL: z.url({ protocol: /^https?$/ }).optional(),
  UPLOADTHING_INGEST_URL: z.url({ protocol: /^https?$/ }).optional(),
  UPLOADTHING_UFS_HOST: z
    .string()
    .regex(/^[\w.-]+(:\d+)?$/, "must be a host")
    .optional(),
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

/** The names of all settings. */
export const SETTINGS = Object.keys(environment.shape);

export interface Config {
  /** Whether the store serves real people: no demo shops, and admin pages are not open to localhost. */
  isProduction: boolean;
  port: number;
  host: string;
  /** The store's public origin, without a trailing slash; null: http at the listening address. */
  publicUrl: string | null;
  /** Whether to believe the forwarding headers of the peer with this address. */
  isTrustedProxy: (address: string, hop: number) => boolean;
  dataDir: string;
  databaseUrl: string;
  /** Maximum number of connections to PostgreSQL. */
  databasePoolSize: number;
  /** Time limit for one PostgreSQL statement. */
  databaseStatementMs: number;
  smtpUrl: string | null;
  mailFrom: string;
  admin: { email: string; password: string } | null;
  /** Set by the operator; null: generated and kept in the data folder. */
  secret: string | null;
  maxUploadBytes: number;
  /** How long the files of a printed order are kept, so that staff can undo the print. */
  printGraceMs: number;
  /** Limit for the files of one account that are not ordered. */
  maxUnorderedBytes: number;
  /** The same limit for all accounts together, on disk and at UploadThing. */
  maxAllUnorderedBytes: number;
  /** Free space that uploads must leave on the disk of the data folder. */
  minFreeBytes: number;
  rateLimitScale: number;
  seedDemo: boolean;
  /** How long a stopping server still takes requests, so that the proxy can switch to other servers. */
  stopDelayMs: number;
  /** The bearer token for /metrics; null: only admins may read it, and localhost in development. */
  metricsToken: string | null;
  /** Where clamd listens, which scans all uploads for malware; null: no scanning. */
  clamd: NetConnectOpts | null;
  /** Where uploaded files are stored; null: in the data folder. */
  uploadThing: UploadThingSettings | null;
  logLevel: string;
}

/** Parses the environment; no other code reads it. Throws a one-line Error that names the wrong setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
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
    publicUrl: e.PUBLIC_URL ? new URL(e.PUBLIC_URL).origin : null,
    isTrustedProxy: e.TRUSTED_PROXIES,
    dataDir,
    databaseUrl: e.DATABASE_URL ?? `file:${join(dataDir, IN_DATA_DIR.database)}`,
    databasePoolSize: e.DATABASE_POOL_SIZE,
    databaseStatementMs: Math.round(e.DATABASE_STATEMENT_SECONDS * 1000),
    smtpUrl: e.SMTP_URL ?? null,
    mailFrom: e.MAIL_FROM ?? "Print Store <no-reply@print-store.invalid>",
    admin: e.ADMIN_EMAIL && e.ADMIN_PASSWORD ? { email: e.ADMIN_EMAIL, password: e.ADMIN_PASSWORD } : null,
    secret: e.SECRET ?? null,
    printGraceMs: Math.round(e.PRINT_GRACE_MINUTES * 60_000),
    maxUploadBytes: Math.floor(e.MAX_UPLOAD_MB * MB),
    maxUnorderedBytes: Math.floor(maxUnorderedMb * MB),
    maxAllUnorderedBytes: Math.floor(maxAllUnorderedMb * MB),
    minFreeBytes: Math.floor(e.MIN_FREE_MB * MB),
    rateLimitScale: e.RATE_LIMIT_SCALE,
    seedDemo: e.SEED_DEMO ?? !isProduction,
    stopDelayMs: e.STOP_DELAY_SECONDS * 1000,
    clamd: e.CLAMD_URL ?? null,
    metricsToken: e.METRICS_TOKEN ?? null,
    uploadThing: uploadThingOf(e),
    logLevel: e.LOG_LEVEL,
  };
}

/** The URL of a listening address: IPv6 hosts in brackets, wildcard addresses as localhost. */
export function listeningUrl(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
