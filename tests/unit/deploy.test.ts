import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig, SETTINGS } from "#server/config.ts";

/** Time limits for running requests, then for mails being sent, when a server closes. */
const CLOSING_SECONDS = 10 + 10;
const LONGEST_STOP_DELAY = 60;

const read = (name: string) => readFileSync(`deploy/${name}`, "utf8");
const compose = parse(read("compose.yaml"), { merge: true });
const settings = compose["x-server"].environment;
const servers = Object.keys(compose.services).filter((name) => name.startsWith("server-"));
const seconds = (time: string) => Number(/^(\d+)s$/.exec(time)?.[1]);

test("the servers in compose.yaml differ only in their DATA_DIR volume", () => {
  const plans = servers.map((name) => compose.services[name]);
  expect(plans.map(({ volumes }) => volumes)).toEqual(servers.map((name) => [`${name}:/data`]));
  for (const { environment } of plans) expect(environment).toEqual(settings);
  expect(servers.length).toBeGreaterThan(1);
});

test("compose.yaml sets only settings that exist", () => {
  expect(SETTINGS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(settings)));
});

test("every setting in deploy/.env reaches the servers, such as the address of the malware scanner", () => {
  expect(compose["x-server"].env_file).toBe(".env");
  // What compose.yaml sets wins over the file, so it may only set what is its own or must be there.
  const own = ["PUBLIC_URL", "TRUSTED_PROXIES", "STOP_DELAY_SECONDS", "DATABASE_URL"];
  const others = Object.entries<string>(settings).filter(([name]) => !own.includes(name));
  for (const [name, value] of others) expect(value.startsWith(`\${${name}:?`)).toBe(true);
});

test("compose.yaml contains no secret, and compose.env.example names its variables and settings only", () => {
  const used = [...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const offered = [...read("compose.env.example").matchAll(/^(\w+)=(.*)$/gm)];
  const names = offered.map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(used));
  expect([...used, ...SETTINGS.map(({ name }) => name)]).toEqual(expect.arrayContaining(names));
  expect(offered.map(([, , value]) => value).join("")).toBe("");
  expect(settings.DATABASE_URL).toMatch(/^postgres:\/\/print_store:\$\{POSTGRES_PASSWORD:\?[^}]+\}@/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: compose replaces it
  expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toBe("${POSTGRES_PASSWORD}");
});

test("the servers in compose.yaml trust the proxy's address, which no other container can have got before it starts", () => {
  const address = compose.services.proxy.networks.outward.ipv4_address;
  expect(settings.TRUSTED_PROXIES).toBe(address);
  const { subnet, ip_range: range } = compose.networks.outward.ipam.config[0];
  expect(isWithin(subnet, address)).toBe(true);
  expect(isWithin(subnet, range.split("/")[0])).toBe(true);
  expect(isWithin(range, address)).toBe(false);
});

function isWithin(range: string, address: string): boolean {
  const [network = "", bits] = range.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return list.check(address);
}

test("the proxy knows every server, and notices that one is stopping before it closes", () => {
  const caddyfile = read("Caddyfile");
  const [, upstreams = ""] = /\{\$SERVERS:([^}]+)\}/.exec(caddyfile) ?? [];
  expect(upstreams.split(" ")).toEqual(servers.map((name) => `${name}:3000`));
  const [, interval = ""] = /health_interval (\S+)/.exec(caddyfile) ?? [];
  const [, patience = ""] = /health_timeout (\S+)/.exec(caddyfile) ?? [];
  expect(settings.STOP_DELAY_SECONDS).toBeGreaterThan(seconds(interval) + seconds(patience));
});

test("the proxy logs neither who asked nor for what: an address may hold a mailed token", () => {
  const [, filter = ""] = /log \{\s*format filter \{([\s\S]*?)\n\t\t\}/.exec(read("Caddyfile")) ?? [];
  const deleted = [...filter.matchAll(/(\S+) delete/g)].map(([, field]) => field);
  expect(deleted).toEqual(
    ["uri", "headers", "remote_ip", "client_ip", "remote_port"].map((field) => `request>${field}`),
  );
});

test("every way to start the server bounds the memory that its threads keep", () => {
  const ways = [
    read("print-store.service"),
    readFileSync("Dockerfile", "utf8"),
    readFileSync("scripts/run.mjs", "utf8"),
  ];
  for (const way of ways) expect(way).toMatch(/MALLOC_ARENA_MAX(=|: ")2\b/);
});

test("no documented command has a secret among its arguments, where everybody on the machine can read it", () => {
  const text = readFileSync("docs/operations.md", "utf8");
  const commands = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  expect(commands.filter((line) => /scripts\/[\w-]+\.ts/.test(line)).length).toBeGreaterThan(8);
  const secrets = /\b(SECRET|PASSWORD|[A-Z_]*TOKEN|DATABASE_URL|SMTP_URL)\b|:\/\/[^/\s]+:[^/\s]+@/;
  expect(commands.filter((line) => secrets.test(line))).toEqual([]);
});

test("the time before a server is killed is longer than the time it may need to close", () => {
  expect(readConfig({ STOP_DELAY_SECONDS: `${LONGEST_STOP_DELAY}` }).stopDelayMs).toBe(60_000);
  expect(() => readConfig({ STOP_DELAY_SECONDS: `${LONGEST_STOP_DELAY + 1}` })).toThrow("STOP_DELAY_SECONDS");
  const needed = settings.STOP_DELAY_SECONDS + CLOSING_SECONDS;
  expect(seconds(compose["x-server"].stop_grace_period)).toBeGreaterThan(needed);
  const [, patience = ""] = /^TimeoutStopSec=(\d+)$/m.exec(read("print-store.service")) ?? [];
  expect(Number(patience)).toBeGreaterThan(LONGEST_STOP_DELAY + CLOSING_SECONDS);
});

test("the systemd unit goes on where Linux ended a conversion of an office file for want of memory", () => {
  expect(read("print-store.service")).toMatch(/^OOMPolicy=continue$/m);
});

test("the systemd unit lets conversions of office files confine themselves and give way, after what it takes out", () => {
  const filters = [...read("print-store.service").matchAll(/^SystemCallFilter=(.+)$/gm)].map(
    ([, calls]) => calls,
  );
  expect(filters.at(-1)).toBe("landlock_create_ruleset landlock_add_rule landlock_restrict_self setpriority");
});
