import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { extract } from "tar-fs";
import { ensureFolder } from "../../scripts/run/staging.mjs";
import type { ApiClient } from "./api-client.ts";

const runtime = resolve(import.meta.dirname, "../../.runtime");
const target = join(runtime, "chromium");
const require = createRequire(import.meta.url);
const packaged = resolve(dirname(require.resolve("@sparticuz/chromium")), "../bin");
const devanagari = dirname(require.resolve("@expo-google-fonts/noto-sans-devanagari/package.json"));
const hasPackage = process.platform === "linux" && process.arch === "x64";

/** There is no sandbox for root; without a zygote, closing a context does not close the browser. */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-zygote", "--font-render-hinting=none", "--lang=en-IN"];

/** Only the packaged fonts, so that pages look the same on every machine. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

/**
 * Starts a real Chromium from a package; nothing needs to be installed. On other systems than Linux x64, which the
 * package is for, it starts the machine's own Chrome.
 */
export async function launchBrowser(): Promise<Browser> {
  if (!hasPackage) return chromium.launch({ channel: "chrome" });
  return chromium.launch(await browserCommand());
}

/** The command that starts the packaged browser. */
export async function browserCommand() {
  await setup();
  return { executablePath: join(target, "chromium"), args: FLAGS, env: environment() };
}

/**
 * Unpacks the browser, its fonts and the libraries that a minimal machine lacks; once only. Vitest calls it before the
 * browser tests, as it takes seconds which should not count as a test's time.
 */
export async function setup(): Promise<void> {
  if (!hasPackage) return;
  const manifest = JSON.parse(readFileSync(join(packaged, "../package.json"), "utf8"));
  await ensureFolder({
    workshop: join(runtime, "workshop"),
    target,
    stamp: `chromium ${manifest.version}`,
    build: async (staged) => {
      await Promise.all([
        unpack("chromium.br", createWriteStream(join(staged, "chromium"), { mode: 0o755 })),
        unpack("al2023.tar.br", extract(staged)),
        unpack("fonts.tar.br", extract(staged)),
      ]);
      await addDevanagari(join(staged, "fonts"));
      await writeFile(join(staged, "fonts.conf"), FONTS_CONF);
      return staged;
    },
  });
}

function unpack(name: string, into: NodeJS.WritableStream): Promise<void> {
  return pipeline(createReadStream(join(packaged, name)), createBrotliDecompress(), into);
}

async function addDevanagari(fonts: string): Promise<void> {
  for (const weight of ["400Regular", "700Bold"]) {
    const name = `NotoSansDevanagari_${weight}.ttf`;
    await copyFile(join(devanagari, weight, name), join(fonts, name));
  }
}

function environment(): NodeJS.ProcessEnv {
  const env = { ...process.env, FONTCONFIG_PATH: target };
  return runsByItself() ? env : { ...env, LD_LIBRARY_PATH: join(target, "lib") };
}

/**
 * Whether the machine has the libraries that Chromium needs; if so, they are preferred over the packaged ones, which
 * may not fit.
 */
function runsByItself(): boolean {
  return spawnSync(join(target, "chromium"), ["--version"]).status === 0;
}

/** Options of `visit` that give a browser window a visitor's cookie, such as the session. */
export function sessionOf(visitor: ApiClient, name = "session"): Pick<BrowserContextOptions, "storageState"> {
  const { hostname } = new URL(visitor.baseUrl);
  const value = visitor.cookie(name);
  const cookie = { name, value, domain: hostname, path: "/", expires: -1, httpOnly: true, secure: false };
  return { storageState: { cookies: [{ ...cookie, sameSite: "Lax" }], origins: [] } };
}

/** Shares these files with the store as another app does: by a form that the browser posts. */
export async function shareFiles(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, {
      method: "post",
      action: "/share-target",
      enctype: "multipart/form-data",
      id: "share",
    });
    form.innerHTML = '<input type="file" name="files" multiple>';
    document.body.append(form);
  });
  await page.locator("#share input").setInputFiles(files);
  await page.evaluate(() => document.querySelector<HTMLFormElement>("#share")?.submit());
  await page.waitForURL(/\/shared/);
}
