import { readFileSync } from "node:fs";
import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "#server/config.ts";

/** Time limits for running requests, then for mails being sent, when a server closes. */
const CLOSING_SECONDS = 10 + 10;

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

test("compose.yaml contains no secret, and compose.env.example names the same variables", () => {
  const used = [...read("compose.yaml").matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const offered = [...read("compose.env.example").matchAll(/^(\w+)=(.*)$/gm)];
  expect(new Set(offered.map(([, name]) => name))).toEqual(new Set(used));
  expect(offered.map(([, , value]) => value).join("")).toBe("");
  for (const name of ["SECRET", "UPLOADTHING_TOKEN", "ADMIN_PASSWORD", "METRICS_TOKEN", "SMTP_URL"]) {
    expect(settings[name]).toMatch(/^\$\{\w+:[-?].*\}$/);
  }
  expect(settings.DATABASE_URL).toMatch(/^postgres:\/\/print_store:\$\{POSTGRES_PASSWORD:\?[^}]+\}@/);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: compose replaces it
  expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toBe("${POSTGRES_PASSWORD}");
});

test("the servers in compose.yaml trust the proxy's address, and no other", () => {
  const address = compose.services.proxy.networks.outward.ipv4_address;
  expect(settings.TRUSTED_PROXIES).toBe(address);
  const [network, bits] = compose.networks.outward.ipam.config[0].subnet.split("/");
  const subnet = new BlockList();
  subnet.addSubnet(network, Number(bits));
  expect(subnet.check(address)).toBe(true);
});

test("the proxy knows every server, and notices that one is stopping before it closes", () => {
  const caddyfile = read("Caddyfile");
  const [, upstreams = ""] = /\{\$SERVERS:([^}]+)\}/.exec(caddyfile) ?? [];
  expect(upstreams.split(" ")).toEqual(servers.map((name) => `${name}:3000`));
  const [, interval = ""] = /health_interval (\S+)/.exec(caddyfile) ?? [];
  const [, patience = ""] = /health_timeout (\S+)/.exec(caddyfile) ?? [];
  expect(settings.STOP_DELAY_SECONDS).toBeGreaterThan(seconds(interval) + seconds(patience));
});

test("the time before a server is killed is longer than the time it may need to close", () => {
  const needed = settings.STOP_DELAY_SECONDS + CLOSING_SECONDS;
  expect(seconds(compose["x-server"].stop_grace_period)).toBeGreaterThan(needed);
  const [, patience = ""] = /^TimeoutStopSec=(\d+)$/m.exec(read("print-store.service")) ?? [];
  expect(Number(patience)).toBeGreaterThan(CLOSING_SECONDS);
});
