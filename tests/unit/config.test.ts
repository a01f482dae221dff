import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { listeningUrl, readConfig } from "#server/config.ts";

const MB = 1024 * 1024;

function tokenOf(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64");
}

describe("readConfig", () => {
  test("works without any setting, as README.md says", () => {
    const { isTrustedProxy: _, ...config } = readConfig({});
    expect(config).toEqual({
      isProduction: false,
      port: 3000,
      host: "127.0.0.1",
      publicUrl: null,
      dataDir: resolve("data"),
      databaseUrl: `file:${resolve("data/store.sqlite")}`,
      databasePoolSize: 10,
      databaseStatementMs: 30_000,
      smtpUrl: null,
      mailFrom: "Print Store <no-reply@print-store.invalid>",
      admin: null,
      secret: null,
      printGraceMs: 30 * 60_000,
      maxUploadBytes: 100 * MB,
      maxUnorderedBytes: 1000 * MB,
      maxAllUnorderedBytes: 50_000 * MB,
      minFreeBytes: 1024 * MB,
      soffice: null,
      rateLimitScale: 1,
      seedDemo: true,
      hasServiceWorker: true,
      stopDelayMs: 0,
      clamd: null,
      metricsToken: null,
      uploadThing: null,
      logLevel: "info",
    });
  });

  test("takes every setting", () => {
    const token = tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1"], ingestHost: "in.example" });
    const config = readConfig({
      NODE_ENV: "production",
      PORT: "8080",
      HOST: "::",
      PUBLIC_URL: "https://print.example/",
      DATA_DIR: "/srv/print",
      DATABASE_URL: "postgresql://db.example/store",
      DATABASE_POOL_SIZE: "20",
      DATABASE_STATEMENT_SECONDS: "0.5",
      SMTP_URL: "smtps://user:password@mail.example",
      MAIL_FROM: "Prints <prints@print.example>",
      ADMIN_EMAIL: "Boss@Print.example",
      ADMIN_PASSWORD: "a long password",
      SECRET: "x".repeat(32),
      UPLOADTHING_TOKEN: token,
      UPLOADTHING_API_URL: "http://localhost:9000",
      UPLOADTHING_UFS_HOST: "files.example:9001",
      MAX_UPLOAD_MB: "300",
      PRINT_GRACE_MINUTES: "0",
      MIN_FREE_MB: "0",
      RATE_LIMIT_SCALE: "0",
      SEED_DEMO: "1",
      STOP_DELAY_SECONDS: "5",
      METRICS_TOKEN: "x".repeat(16),
      CLAMD_URL: "tcp://[::1]:3310",
      LOG_LEVEL: "debug",
    });
    expect(config).toMatchObject({
      isProduction: true,
      port: 8080,
      host: "::",
      publicUrl: "https://print.example",
      dataDir: "/srv/print",
      databaseUrl: "postgresql://db.example/store",
      databasePoolSize: 20,
      databaseStatementMs: 500,
      smtpUrl: "smtps://user:password@mail.example",
      mailFrom: "Prints <prints@print.example>",
      admin: { email: "boss@print.example", password: "a long password" },
      secret: "x".repeat(32),
      printGraceMs: 0,
      maxUploadBytes: 300 * MB,
      maxUnorderedBytes: 1500 * MB,
      maxAllUnorderedBytes: 75_000 * MB,
      minFreeBytes: 0,
      rateLimitScale: 0,
      seedDemo: true,
      stopDelayMs: 5000,
      metricsToken: "x".repeat(16),
      clamd: { host: "::1", port: 3310 },
      logLevel: "debug",
      uploadThing: {
        ingestUrl: "https://bom1.in.example",
        apiUrl: "http://localhost:9000",
        ufsHost: "files.example:9001",
      },
    });
    const ingest = {
      UPLOADTHING_TOKEN: token,
      UPLOADTHING_INGEST_URL: "http://localhost:9000/",
      UPLOADTHING_UFS_HOST: "f.example",
    };
    expect(readConfig(ingest).uploadThing).toMatchObject({
      ingestUrl: "http://localhost:9000",
      ufsHost: "f.example",
    });
  });

  test.each([
    ["unix:/run/clamd.ctl", { path: "/run/clamd.ctl" }],
    ["unix:///run/clamd.ctl", { path: "/run/clamd.ctl" }],
    ["tcp://clamav:3310/", { host: "clamav", port: 3310 }],
  ])("asks clamd at %s", (CLAMD_URL, clamd) => {
    expect(readConfig({ CLAMD_URL }).clamd).toEqual(clamd);
  });

  test.each([
    ["SEED_DEMO", "true", { seedDemo: true }],
    ["SEED_DEMO", "0", { seedDemo: false }],
    ["SEED_DEMO", "false", { seedDemo: false }],
    ["MAX_UNORDERED_MB", "100", { maxUnorderedBytes: 100 * MB, maxAllUnorderedBytes: 5000 * MB }],
    ["MAX_UNORDERED_MB", "10000000", { maxUnorderedBytes: 10_000_000 * MB }],
    ["MAX_ALL_UNORDERED_MB", "1000", { maxAllUnorderedBytes: 1000 * MB }],
    ["MAX_ALL_UNORDERED_MB", "1000000000", { maxAllUnorderedBytes: 1_000_000_000 * MB }],
    ["MAX_UPLOAD_MB", "0.5", { maxUploadBytes: MB / 2, maxUnorderedBytes: 1000 * MB }],
    ["MAX_UPLOAD_MB", "2000", { maxUploadBytes: 2000 * MB, maxUnorderedBytes: 10_000 * MB }],
    ["HOST", "h", { host: "h" }],
    ["DATA_DIR", "d", { dataDir: resolve("d") }],
    ["MAIL_FROM", "a@b", { mailFrom: "a@b" }],
    ["MAIL_FROM", "<a@b>", { mailFrom: "<a@b>" }],
    ["MAIL_FROM", '"Shop, Pune" <a@b>', { mailFrom: '"Shop, Pune" <a@b>' }],
    ["NODE_ENV", "development", { isProduction: false }],
    ["STOP_DELAY_SECONDS", "0", { stopDelayMs: 0 }],
    ["PORT", "0", { port: 0 }],
    ["PORT", "65535", { port: 65_535 }],
    ["DATABASE_POOL_SIZE", "2", { databasePoolSize: 2 }],
    ["DATABASE_POOL_SIZE", "500", { databasePoolSize: 500 }],
    ["DATABASE_STATEMENT_SECONDS", "0.1", { databaseStatementMs: 100 }],
    ["DATABASE_STATEMENT_SECONDS", "600", { databaseStatementMs: 600_000 }],
    ["PRINT_GRACE_MINUTES", "1440", { printGraceMs: 24 * 60 * 60_000 }],
    ["STOP_DELAY_SECONDS", "60", { stopDelayMs: 60_000 }],
    ["PUBLIC_URL", "http://shop.example:8080", { publicUrl: "http://shop.example:8080" }],
    ["SMTP_URL", "smtp://mail.example", { smtpUrl: "smtp://mail.example" }],
    ["LOG_LEVEL", "silent", { logLevel: "silent" }],
    ["LOG_LEVEL", "error", { logLevel: "error" }],
    ["LOG_LEVEL", "warn", { logLevel: "warn" }],
    ["PATH", "/usr/bin:/bin", { soffice: { searchPath: "/usr/bin:/bin" } }],
    ["SOFFICE", "/opt/soffice", { soffice: "/opt/soffice" }],
  ])("accepts %s=%s", (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test.each(["", " ", "\t"])("treats a setting that is empty or blank as unset: %j", (blank) => {
    const config = readConfig({ PORT: blank, MIN_FREE_MB: blank, SMTP_URL: blank });
    expect(config).toMatchObject({ port: 3000, minFreeBytes: 1024 * MB, smtpUrl: null });
  });

  test.each([
    ["NODE_ENV", "prod"],
    ["NODE_ENV", "Production"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["PORT", "30.5"],
    ["PORT", "http"],
    ["PUBLIC_URL", "shop.example"],
    ["PUBLIC_URL", "ftp://shop.example"],
    ["PUBLIC_URL", "xhttp://shop.example"],
    ["PUBLIC_URL", "httpsx://shop.example"],
    ["PUBLIC_URL", "https://shop.example/prints"],
    ["PUBLIC_URL", "https://shop.example/?a=b"],
    ["PUBLIC_URL", "https://user:password@shop.example"],
    ["SMTP_URL", "mail.example"],
    ["SMTP_URL", "smtp://"],
    ["SMTP_URL", "smtp://user:password@"],
    ["SMTP_URL", "http://mail.example"],
    ["SMTP_URL", "smtpx://mail.example"],
    ["SMTP_URL", "xsmtp://mail.example"],
    ["MAIL_FROM", "ab"],
    ["MAIL_FROM", "Print Store"],
    ["MAIL_FROM", "Print Store <print.example>"],
    ["MAIL_FROM", "Print Store store@print.example"],
    ["MAIL_FROM", "Print Store <store@print.example"],
    ["DATABASE_POOL_SIZE", "1"],
    ["DATABASE_POOL_SIZE", "501"],
    ["DATABASE_POOL_SIZE", "2.5"],
    ["DATABASE_STATEMENT_SECONDS", "0.09"],
    ["DATABASE_STATEMENT_SECONDS", "601"],
    ["PRINT_GRACE_MINUTES", "-1"],
    ["PRINT_GRACE_MINUTES", "1441"],
    ["MAX_UPLOAD_MB", "0"],
    ["MAX_UPLOAD_MB", "2001"],
    ["MAX_UNORDERED_MB", "0"],
    ["MAX_UNORDERED_MB", "99"],
    ["MAX_UNORDERED_MB", "10000001"],
    ["MAX_ALL_UNORDERED_MB", "0"],
    ["MAX_ALL_UNORDERED_MB", "1000000001"],
    ["MAX_ALL_UNORDERED_MB", "999"],
    ["MIN_FREE_MB", "-1"],
    ["RATE_LIMIT_SCALE", "many"],
    ["RATE_LIMIT_SCALE", "-1"],
    ["SEED_DEMO", "perhaps"],
    ["CLAMD_URL", "localhost:3310"],
    ["CLAMD_URL", "tcp://clamav"],
    ["CLAMD_URL", "tcp://:3310"],
    ["CLAMD_URL", "http://clamav:3310"],
    ["CLAMD_URL", "tcp://clamav:3310/path"],
    ["CLAMD_URL", "unix:clamd.sock"],
    ["CLAMD_URL", "xunix:/run/clamd.ctl"],
    ["SECRET", "x".repeat(31)],
    ["METRICS_TOKEN", "x".repeat(15)],
    ["LOG_LEVEL", "loud"],
    ["UPLOADTHING_TOKEN", "not-a-token"],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "no key", appId: "a1", regions: ["bom1"] })],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: [] })],
    ["UPLOADTHING_API_URL", "api.uploadthing.com"],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "sk_live_1", appId: "a-1", regions: ["bom1"] })],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1/x"] })],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: ["x/bom1"] })],
    ["UPLOADTHING_INGEST_URL", "ftp://uploadthing.com"],
    ["UPLOADTHING_UFS_HOST", "https://ufs.sh"],
    ["UPLOADTHING_UFS_HOST", "ufs.sh:port"],
    ["DATABASE_URL", "mysql://host"],
    ["DATABASE_URL", "file:"],
    ["DATABASE_URL", "postgres://"],
    ["DATABASE_URL", "xfile:store.sqlite"],
    ["STOP_DELAY_SECONDS", "-1"],
    ["STOP_DELAY_SECONDS", "61"],
    ["TRUSTED_PROXIES", "proxy.example"],
    ["TRUSTED_PROXIES", "10.0.0.1 10.0.0.2"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["ADMIN_EMAIL", "nobody"],
  ])("refuses %s=%j with one line that names the setting", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}[^\\n]*$`));
  });

  test.each([
    ["PORT", "http", "must be a number"],
    ["PORT", "30.5", "must be a whole number"],
    ["PUBLIC_URL", "shop.example", "must be an address such as https://print.example, without a path"],
    [
      "SMTP_URL",
      "mail.example",
      "must be smtp://HOST:PORT or smtps://HOST:PORT, with USER:PASSWORD@ before HOST",
    ],
  ])("says of %s=%s in plain words that it %s", (name, value, reason) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${reason}`);
  });

  test.each([{ ADMIN_EMAIL: "boss@shop.example" }, { ADMIN_PASSWORD: "a long password" }])(
    "refuses %j alone",
    (half) => {
      expect(() => readConfig(half)).toThrow("ADMIN_EMAIL and ADMIN_PASSWORD must be set together");
    },
  );

  test("does not repeat a refused UPLOADTHING_TOKEN in the error", () => {
    const token = tokenOf({ apiKey: "sk_live_secret", appId: 5, regions: ["bom1"] });
    const refused = () => readConfig({ UPLOADTHING_TOKEN: token });
    expect(refused).toThrow(/^UPLOADTHING_TOKEN: is no token of UploadThing/);
    expect(refused).not.toThrow(new RegExp(`sk_live|${token.slice(0, 20)}`));
  });

  test("reads the parts of UPLOADTHING_TOKEN and uploads to its first region", () => {
    const token = tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1", "sea1"] });
    expect(readConfig({ UPLOADTHING_TOKEN: token }).uploadThing).toEqual({
      token,
      apiKey: "sk_live_1",
      appId: "a1",
      ingestUrl: "https://bom1.ingest.uploadthing.com",
      apiUrl: null,
      ufsHost: null,
    });
    expect(readConfig({}).uploadThing).toBeNull();
  });

  test("requires SECRET when several servers may share a database", () => {
    const token = tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1"] });
    const shared = { UPLOADTHING_TOKEN: token, DATABASE_URL: "postgres://db.example/store" };
    expect(() => readConfig(shared)).toThrow("SECRET must be set, to the same on every server");
    const SECRET = "one secret for all servers of a store";
    expect(readConfig({ ...shared, SECRET }).secret).toBe(SECRET);
    expect(readConfig({ DATABASE_URL: shared.DATABASE_URL }).secret).toBeNull();
    expect(readConfig({ UPLOADTHING_TOKEN: token }).secret).toBeNull();
  });

  test.each([
    [undefined, "127.0.0.1", true],
    [undefined, "::1", true],
    [undefined, "10.0.0.1", false],
    ["10.0.0.1, 192.0.2.0/24", "10.0.0.1", true],
    ["10.0.0.1, 192.0.2.0/24", "::ffff:192.0.2.77", true],
    ["10.0.0.1, 192.0.2.0/24", "127.0.0.1", false],
    ["uniquelocal", "172.18.0.3", true],
  ])("with TRUSTED_PROXIES %j, trusts %s: %j", (setting, address, isTrusted) => {
    expect(readConfig({ TRUSTED_PROXIES: setting }).isTrustedProxy(address, 0)).toBe(isTrusted);
  });

  test("does not seed the demo in production", () => {
    expect(readConfig({ NODE_ENV: "production" }).seedDemo).toBe(false);
  });
});

describe("listeningUrl", () => {
  test.each([
    ["127.0.0.1", "http://127.0.0.1:3000"],
    ["0.0.0.0", "http://localhost:3000"],
    ["::", "http://localhost:3000"],
    ["::1", "http://[::1]:3000"],
    ["shop.local", "http://shop.local:3000"],
  ])("shows the host %s as %s", (host, url) => {
    expect(listeningUrl(host, 3000)).toBe(url);
  });
});
