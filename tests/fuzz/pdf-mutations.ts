import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { COLOUR_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { linearizedPdf } from "../factories/pdfs.linearized.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { pdfOfPages, plainPdf, resavedPdf } from "../factories/pdfs.ts";

/** Valid PDFs of several producers, and those in the folder PDF_CORPUS if set. */
export async function validPdfs(): Promise<Uint8Array[]> {
  const made = await Promise.all([
    plainPdf(3),
    pdfOfPages(4),
    linearizedPdf(3),
    resavedPdf(3, 5),
    numberedPdf("Thesis", 4, { each: 300, shared: 900 }),
    encryptedPdf(2, "AES-128", { owner: "o" }),
    pdfOf([COLOUR_PAGES["one blue word"], COLOUR_PAGES["a pale green cell"]]),
  ]);
  return [...made, ...(await corpus(process.env.PDF_CORPUS))];
}

async function corpus(folder: string | undefined): Promise<Uint8Array[]> {
  if (!folder) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

/** A change of a file's bytes. Positions are shares of its length. */
type Mutation = (bytes: Buffer, other: Buffer) => Buffer;

/** Uniform: fast-check's numbers prefer small ones. */
const share = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000);
const ODD_NUMBERS = ["0", "-1", "1", "65536", "2147483647", "4294967296", "99999999999999999999", "1e9", "."];

const flips = fc.array(fc.tuple(share, fc.nat(255)), { minLength: 1, maxLength: 30 }).map(
  (list): Mutation =>
    (bytes) => {
      const flipped = Buffer.from(bytes);
      for (const [at, byte] of list) flipped[Math.floor(at * bytes.length)] = byte;
      return flipped;
    },
);

const truncations = share.map(
  (keep): Mutation =>
    (bytes) =>
      bytes.subarray(0, Math.ceil(keep * bytes.length)),
);

const splices = fc.tuple(share, share).map(
  ([head, tail]): Mutation =>
    (bytes, other) =>
      Buffer.concat([
        bytes.subarray(0, Math.floor(head * bytes.length)),
        other.subarray(Math.floor(tail * other.length)),
      ]),
);

const OBJECT = /\d+ \d+ obj\b[\s\S]*?endobj/g;
const swappedObjects = fc.tuple(share, share).map(
  ([one, other]): Mutation =>
    (bytes) => {
      const text = bytes.toString("latin1");
      const objects = [...text.matchAll(OBJECT)].map(([object]) => object.replace(/^\d+ \d+ obj/, ""));
      if (objects.length === 0) return bytes;
      const [from, to] = [one, other].map((at) => Math.floor(at * objects.length));
      let index = 0;
      const swapped = text.replaceAll(OBJECT, (object) => {
        const here = index++;
        const body = here === from ? objects[to ?? 0] : here === to ? objects[from ?? 0] : undefined;
        return body === undefined ? object : (/^\d+ \d+ obj/.exec(object)?.[0] ?? "") + body;
      });
      return Buffer.from(swapped, "latin1");
    },
);

const wrongNumbers = fc
  .array(fc.tuple(share, fc.constantFrom(...ODD_NUMBERS)), { minLength: 1, maxLength: 4 })
  .map(
    (list): Mutation =>
      (bytes) =>
        list.reduce((current, [at, number]) => {
          const text = current.toString("latin1");
          const numbers = [...text.matchAll(/(?<=[\s[/])\d{1,10}(?=[\s\]/>])/g)];
          const found = numbers[Math.floor(at * numbers.length)];
          if (!found) return current;
          return Buffer.from(
            text.slice(0, found.index) + number + text.slice(found.index + found[0].length),
            "latin1",
          );
        }, bytes),
  );

const wipes = fc.tuple(share, fc.integer({ min: 1, max: 400 }), fc.nat(255)).map(
  ([at, length, byte]): Mutation =>
    (bytes) => {
      const wiped = Buffer.from(bytes);
      const from = Math.floor(at * bytes.length);
      return wiped.fill(byte, from, Math.min(from + length, bytes.length));
    },
);

/** Valid PDFs with one to three mutations each. */
export function mutatedPdfs(sources: Uint8Array[]): fc.Arbitrary<Buffer> {
  const source = fc.constantFrom(...sources.map((bytes) => Buffer.from(bytes)));
  const mutations = fc.oneof(
    flips,
    flips,
    truncations,
    splices,
    swappedObjects,
    wrongNumbers,
    wrongNumbers,
    wipes,
  );
  return fc
    .record({ source, other: source, list: fc.array(mutations, { minLength: 1, maxLength: 3 }) })
    .map(({ source, other, list }) => list.reduce<Buffer>((bytes, mutate) => mutate(bytes, other), source));
}
