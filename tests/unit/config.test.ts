import { describe, expect, test } from "vitest";
import { listeningUrl, readConfig } from "#server/config.ts";

function tokenOf(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64");
}

describe("readConfig", () => {
  test("works without any setting", () => {
    const config = readConfig({});
    expect(config).toMatchObject({ port: 3000, host: "127.0.0.1", smtpUrl: null, seedDemo: true });
    expect(config.databaseUrl).toMatch(/^file:.*store\.sqlite$/);
    expect(config.maxUploadBytes).toBe(100 * 1024 * 1024);
  });

  test("treats an empty setting as unset", () => {
    expect(readConfig({ PORT: "", SMTP_URL: "" }).port).toBe(3000);
  });

  test.each([
    ["PORT", "70000"],
    ["PORT", "http"],
    ["PUBLIC_URL", "shop.example"],
    ["PUBLIC_URL", "ftp://shop.example"],
    ["SMTP_URL", "mail.example"],
    ["MAX_UPLOAD_MB", "-1"],
    ["MAX_UNORDERED_MB", "50"],
    ["MAX_ALL_UNORDERED_MB", "999"],
    ["MIN_FREE_MB", "-1"],
    ["RATE_LIMIT_SCALE", "many"],
    ["SEED_DEMO", "perhaps"],
    ["CLAMD_URL", "localhost:3310"],
    ["CLAMD_URL", "tcp://clamav"],
    ["CLAMD_URL", "unix:clamd.sock"],
    ["SECRET", "short"],
    ["METRICS_TOKEN", "short"],
    ["UPLOADTHING_TOKEN", "not-a-token"],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "no key", appId: "a1", regions: ["bom1"] })],
    ["UPLOADTHING_TOKEN", tokenOf({ apiKey: "sk_live_1", appId: "a1", regions: [] })],
    ["UPLOADTHING_API_URL", "api.uploadthing.com"],
    ["UPLOADTHING_UFS_HOST", "https://ufs.sh"],
    ["DATABASE_URL", "mysql://host"],
    ["STOP_DELAY_SECONDS", "-1"],
    ["TRUSTED_PROXIES", "proxy.example"],
    ["TRUSTED_PROXIES", "10.0.0.1 10.0.0.2"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["ADMIN_EMAIL", "nobody"],
  ])("refuses %s=%j with one line that names the setting", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}[^\\n]*$`));
  });

  test("refuses ADMIN_EMAIL without ADMIN_PASSWORD", () => {
    expect(() => readConfig({ ADMIN_EMAIL: "boss@shop.example" })).toThrow(/ADMIN_PASSWORD/);
  });

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

  test("keeps only the origin of PUBLIC_URL", () => {
    expect(readConfig({ PUBLIC_URL: "https://shop.example/" }).publicUrl).toBe("https://shop.example");
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
    ["::1", "http://[::1]:3000"],
    ["shop.local", "http://shop.local:3000"],
  ])("shows the host %s as %s", (host, url) => {
    expect(listeningUrl(host, 3000)).toBe(url);
  });
});
