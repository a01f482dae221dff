import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp, { type Sharp } from "sharp";
import { z } from "zod";
import { findSoffice } from "#server/files/office-converter.ts";
import { isOfficeFile } from "#shared/file-formats.ts";
import { count, readOptions } from "../../scripts/arguments.ts";
import { signedInStudent } from "../factories/students.ts";
import { drawPages, type PagePixels } from "../setup/pdf-reader.ts";
import { startTestStore } from "../setup/test-store.ts";
import { measureOthers } from "./office-others.ts";

// npm run measure-office -- FOLDER: uploads the office files and PDFs of a folder as a student does, and prints what comes of
// them. A PDF beside an office file of the same name is taken for what the program of its author made: a picture of each page
// is left in FOLDER/compared, with the original to the left and what is printed here to the right. `--only NAME` takes the
// files whose names contain this, and `--others 10` measures in so many rounds how much slower other requests are meanwhile.

const LEGEND = `
CPU      seconds of a core that the converter's processes took
MB       most memory that they held at once
differs  how much darker or lighter a page is than the original's, averaged over 2 mm: of all pages, and of the worst
colour, blank, edge   pages that the store finds to be in colour, empty, or with text where printers cut it
`;
const PICTURE_HEIGHT = 900;
/** An A4 page has a pixel for every 2 mm. */
const COMPARED = { width: 105, height: 148 };
const SAMPLE_MS = 100;
const PAGE_BYTES = 4096;
const TICKS_PER_SECOND = 100;
const MB = 1024 * 1024;

const USAGE = "Usage: npm run measure-office -- FOLDER [--only NAME] [--others ROUNDS]";
const { options, paths } = readOptions(
  USAGE,
  { only: z.string().default(""), others: count(1).optional() },
  { paths: true },
);
const [folder = ""] = paths;
const names = (await readdir(folder).catch(() => [])).sort();
if (names.length === 0) fail(folder ? `There are no files in ${folder}` : USAGE);
const soffice = (await findSoffice(process.env.PATH ?? "")) ?? fail("There is no soffice on the PATH");
const compared = join(folder, "compared");
const taken = names.filter((name) => name.includes(options.only));

if (options.others) {
  const documents = taken
    .filter((name) => isOfficeFile({ name }))
    .map((name) => readFile(join(folder, name)));
  await measureOthers(await Promise.all(documents), options.others);
  process.exit();
}
await mkdir(compared, { recursive: true });
const store = await startTestStore({ SOFFICE: soffice });
try {
  const head = "file,kB,pages,original,differs,seconds,CPU,MB,colour,blank,edge".split(",");
  printRow(head);
  printRow(head.map(() => "---"));
  for (const name of taken) {
    if (isOfficeFile({ name }) || extname(name) === ".pdf") printRow(await measure(folder, name));
  }
  console.log(LEGEND);
} finally {
  await store.stop();
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

async function measure(from: string, name: string): Promise<string[]> {
  const content = await readFile(join(from, name));
  // A student of its own, so that no file waits for another.
  const { visitor } = await signedInStudent(store);
  const start = performance.now();
  const uploading = visitor.upload(new Uint8Array(content), name, { convert: "pdf" });
  const { cpu, bytes } = await watchUntil(uploading);
  const { status, body } = await uploading;
  const seconds = (performance.now() - start) / 1000;
  const head = [name, (content.length / 1024).toFixed(0)];
  const cost = [seconds.toFixed(1), cpu.toFixed(1), (bytes / MB).toFixed(0)];
  if (status !== 200) return [...head, body.message, "", "", ...cost];
  const original = `${name.slice(0, -extname(name).length)}.pdf`;
  const isCompared = isOfficeFile({ name }) && names.includes(original);
  const ours = await (await visitor.fetch(body.secure_url)).bytes();
  if (isOfficeFile({ name })) await writeFile(join(compared, `${name}.pdf`), ours);
  const likeness = isCompared ? await compare(name, await readFile(join(from, original)), ours) : ["", ""];
  const found = await waitFor(async () => {
    const [checks] = (await visitor.query("files.colours", { ids: [body.public_id] })).body.result.data;
    return checks.checkedPages !== null && checks;
  });
  const checked = [found.colourPages, found.blankPages, found.edgePages];
  return [...head, String(body.pages), ...likeness, ...cost, ...checked];
}

/** Leaves a picture of each page of both, and returns how many pages the original has and how much they differ. */
async function compare(name: string, original: Uint8Array, ours: Uint8Array): Promise<string[]> {
  const [left, right] = [await drawPages(original, 2), await drawPages(ours, 2)];
  const differences = [];
  for (let page = 0; page < Math.max(left.length, right.length); page++) {
    const pair = [left[page], right[page]].map((pixels) => pixels && asPicture(pixels));
    const number = String(page + 1).padStart(3, "0");
    await drawBeside(pair, join(compared, `${name}-${number}.png`));
    differences.push(await differenceOf(pair));
  }
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  return [String(left.length), `${percent(mean)}, ${percent(Math.max(...differences))}`];
}

/** PDFium's pixels are blue, green and red. */
function asPicture({ pixels, width, height }: PagePixels): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .recomb([
      [0, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]);
}

async function drawBeside(pair: (Sharp | undefined)[], path: string): Promise<void> {
  const drawn = await Promise.all(
    pair.map((picture) =>
      picture?.clone().resize({ height: PICTURE_HEIGHT }).png().toBuffer({ resolveWithObject: true }),
    ),
  );
  const width = Math.max(...drawn.map((one) => one?.info.width ?? 0));
  const create = { width: 2 * width + 10, height: PICTURE_HEIGHT, channels: 3, background: "grey" } as const;
  const parts = drawn.flatMap((one, index) => one && { input: one.data, top: 0, left: index * (width + 10) });
  await sharp({ create })
    .composite(parts.filter((part) => part !== undefined))
    .png()
    .toFile(path);
}

/** From 0 to 1; 1 where one of them is missing. */
async function differenceOf([one, other]: (Sharp | undefined)[]): Promise<number> {
  if (!one || !other) return 1;
  const greys = (picture: Sharp) =>
    picture
      .clone()
      .resize({ ...COMPARED, fit: "fill" })
      .greyscale()
      .raw()
      .toBuffer();
  const [left, right] = await Promise.all([greys(one), greys(other)]);
  const sum = left.reduce((total, grey, at) => total + Math.abs(grey - (right[at] ?? 0)), 0);
  return sum / left.length / 255;
}

/** What the processes started from here took at most until `end`, in seconds of a core and bytes. */
async function watchUntil(end: Promise<unknown>): Promise<{ cpu: number; bytes: number }> {
  const ended = end.then(
    () => true,
    () => true,
  );
  const most = { cpu: 0, bytes: 0 };
  while (!(await Promise.race([ended, sleep(SAMPLE_MS, false)]))) {
    const children = await readChildren();
    most.cpu = Math.max(most.cpu, children.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND);
    most.bytes = Math.max(most.bytes, children.reduce((sum, { pages }) => sum + pages, 0) * PAGE_BYTES);
  }
  return most;
}

async function readChildren(): Promise<{ ticks: number; pages: number }[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
  const processes = new Map(ids.map((id, at) => [id, readStat(stats[at] ?? "")]));
  const isOurs = (parent: string | undefined): boolean =>
    parent === String(process.pid) || (!!parent && isOurs(processes.get(parent)?.parent));
  return [...processes.values()].filter(({ parent }) => isOurs(parent));
}

/** Its fields are counted from 1, and the second is a name that may contain anything. */
function readStat(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3] ?? 0);
  return { parent: fields[4 - 3], ticks: field(14) + field(15), pages: field(24) };
}

async function waitFor<T>(look: () => Promise<T | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await sleep(SAMPLE_MS);
  }
}

function printRow(cells: (string | null)[]): void {
  console.log(`| ${cells.map((cell) => cell ?? "").join(" | ")} |`);
}
