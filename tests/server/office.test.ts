import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getPriority } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import pino from "pino";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sniffOtherThanPdf } from "#server/files/file-kinds.ts";
import { findSoffice, type OfficeConverter } from "#server/files/office-converter.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import type { Client } from "#server/lib/fair-limit.ts";
import {
  documentBomb,
  documentWithBackground,
  documentWithMacro,
  documentWithPicture,
  fontBomb,
  oldOfficeFile,
  textOfPages,
  wordDocument,
} from "../factories/documents.ts";
import { orderFor } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInOwner } from "../factories/staff.ts";
import { STAND_IN, standInConverter } from "../factories/stand-in-converter.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { tempFolder } from "../setup/temporary.ts";
import { testStore } from "../setup/test-store.ts";
import { download, packPath } from "./packs.fixtures.ts";

const found = await findSoffice(process.env.PATH ?? "");
/** What keeps conversions from files needs a kernel that has it, and Perl; from its fourth version on it also closes the network. */
const landlockVersion = Number(spawnSync("perl", ["-e", "print syscall(444, 0, 0, 1)"]).stdout ?? 0);
const hasLandlock = landlockVersion > 0;
const hasNamespaces = spawnSync("unshare", ["-rnm", "--pid", "--fork", "true"]).status === 0;
/** Conversions give way, so beside other tests LibreOffice may take many times as long as by itself. */
const PATIENCE_MS = 240_000;

const PROFILE_WITH_MACROS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>0</value></prop></item></oor:items>`;

const store = testStore({ SOFFICE: STAND_IN });
let visitor: ApiClient;
let shopId: string;
/** What the store has made of its settings; most tests give it another one, or none. */
let named: OfficeConverter | null;
beforeAll(async () => {
  named = store.deps.office;
  store.deps.office = null;
  visitor = (await signedInStudent(store)).visitor;
  shopId = (await visitor.get("/api/v1/prints/shopslocation")).body.data[0]._id;
});

function send(content: Uint8Array | string, fields: Record<string, string> = { convert: "pdf" }) {
  return visitor.upload(new Uint8Array(Buffer.from(content)), "Unit 3.docx", fields);
}

async function kindOf(content: Uint8Array): Promise<string | undefined> {
  const path = join(await tempFolder(), "document");
  await writeFile(path, content);
  return (await sniffOtherThanPdf(path))?.extension;
}

/** Conversions that have begun and not ended, by their copies of documents. */
async function countConversions(): Promise<number> {
  const names = await readdir(store.dataDir, { recursive: true });
  return names.filter((name) => /\/document\.\w+$/.test(name)).length;
}

/** Converts this text directly, and lists what the converter wrote. */
async function convert(text: string, by?: OfficeConverter, client: Client = {}) {
  const office = by ?? (await standInConverter({ timeoutMs: 15_000 }));
  const folder = await tempFolder();
  const path = join(folder, "in.txt");
  await writeFile(path, text);
  const work = join(folder, "work");
  await mkdir(work);
  const made = await office.convert({ path, extension: "txt", folder: work }, client);
  const out = join(work, "out");
  const files = await Promise.all(
    (await readdir(out)).map(async (name) => [name, (await stat(join(out, name))).size] as const),
  );
  return { made, files, out };
}

/**
 * The priorities of the processes of this name that have this in their environment, and the groups within which Linux compares
 * them.
 */
async function prioritiesOf(name: string, setting: string): Promise<[number, string][]> {
  const ids = (await readdir("/proc")).filter((id) => /^\d+$/.test(id));
  const read = (id: string, file: string) => readFile(`/proc/${id}/${file}`, "utf8").catch(() => "");
  const found = await Promise.all(
    ids.map(async (id) => {
      const isIt = (await read(id, "comm")) === `${name}\n` && (await read(id, "environ")).includes(setting);
      return isIt ? [[getPriority(Number(id)), await read(id, "autogroup")] as [number, string]] : [];
    }),
  );
  return found.flat();
}

async function traces(): Promise<{ files: number; rows: number }> {
  const entries = await readdir(store.dataDir, { recursive: true, withFileTypes: true });
  const rows = await store.deps.readDb.selectFrom("files").select("id").execute();
  return { files: entries.filter((entry) => entry.isFile()).length, rows: rows.length };
}

describe("an office file, by a stand-in for LibreOffice", () => {
  let patient: OfficeConverter;
  beforeAll(async () => {
    patient = await standInConverter({ timeoutMs: 150_000, processorS: 2, memoryKb: 300_000 });
    store.deps.office = patient;
  });
  afterAll(() => {
    store.deps.office = null;
  });

  test("is kept as the PDF that it becomes, and that PDF is counted", async () => {
    const answer = await send(`fine\n${plainPdf(2).toString("base64")}`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        secure_url: expect.any(String),
        public_id: expect.any(String),
        pages: 2,
        bytes: plainPdf(2).length,
        format: "pdf",
        original_filename: "Unit 3.pdf",
        converted_from: "txt",
      },
    ]);
    const kept = await (await visitor.fetch(answer.body.secure_url)).arrayBuffer();
    expect(Buffer.from(kept).equals(plainPdf(2))).toBe(true);
  });

  test("is converted by the program that SOFFICE names", async () => {
    store.deps.office = named;
    onTestFinished(() => {
      store.deps.office = patient;
    });
    expect((await send(`fine\n${plainPdf(1).toString("base64")}`)).status).toBe(200);
  });

  test("is ordered only once its owner has said that its PDF looks right", async () => {
    const { body: file } = await send(`fine\n${plainPdf(2).toString("base64")}`);
    const id = file.public_id;
    const order = await orderFor(visitor, { shopId, filesUrl: [file.secure_url], pages: 2 });
    const place = async () => (await visitor.post("/api/v1/prints/printorder", order)).body;
    const unseen = "Check the pages of “Unit 3.pdf” first and say that they look right";
    expect(await place()).toMatchObject({ code: "CONFLICT", message: unseen });
    const stranger = (await signedInStudent(store)).visitor;
    expect((await stranger.post("/api/v1/uploads/approve", { public_id: id })).status).toBe(404);
    for (const nothing of [null, "", 7, []])
      expect((await visitor.post("/api/v1/uploads/approve", nothing)).body.code).toBe("INVALID_INPUT");
    expect((await place()).message).toBe(unseen);
    const twice = [1, 2].map(() => visitor.post("/api/v1/uploads/approve", { public_id: id }));
    expect((await Promise.all(twice)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await place()).toMatchObject({ success: true });
    const { body: removed } = await send(`fine\n${plainPdf(1).toString("base64")}`);
    expectDone(await visitor.mutate("files.remove", { id: removed.public_id }));
    const late = await visitor.post("/api/v1/uploads/approve", { public_id: removed.public_id });
    expect(late.status).toBe(404);
  });

  test("is printed by the pages that are chosen of its PDF", async () => {
    const pdf = Buffer.from(numberedPdf("Unit", 3)).toString("base64");
    const { body: file } = await send(`fine\n${pdf}`);
    await visitor.post("/api/v1/uploads/approve", { public_id: file.public_id });
    const order = await orderFor(visitor, { shopId, filesUrl: [file.secure_url], pages: 1, copies: 1 });
    const pageRanges = [{ public_id: file.public_id, pages: "2" }];
    const placed = await visitor.post("/api/v1/prints/printorder", {
      ...order,
      orderData: { ...order.orderData, pageRanges },
    });
    const owner = await signedInOwner(store, [shopId]);
    const { bytes } = await download(owner.visitor, packPath({ id: placed.body.data._id }));
    const printed = (await readPages(bytes)).filter((text) => text.startsWith("Unit"));
    expect(printed).toEqual([expect.stringMatching(/^Unit 2\b/)]);
  });

  test("is offered to browsers, and is not where there is no converter", async () => {
    const office = store.deps.office;
    expect(expectDone(await visitor.query("files.formats"))).toEqual({ office: true });
    store.deps.office = null;
    expect(expectDone(await visitor.query("files.formats"))).toEqual({ office: false });
    store.deps.office = office;
  });

  test("is not converted where nothing keeps it from the server's files, unless the operator names LibreOffice", async () => {
    const told: string[] = [];
    const log = pino({}, { write: (line: string) => void told.push(JSON.parse(line).msg) });
    const unguarded = { namespaces: false, landlock: false, log };
    await expect(standInConverter({ ...unguarded, isWanted: false })).rejects.toThrow();
    await expect(standInConverter({ ...unguarded, isWanted: true })).resolves.toBeDefined();
    // Namespaces alone keep it from the network only.
    await expect(standInConverter({ landlock: false, isWanted: false })).rejects.toThrow();
    expect(told).toEqual([
      "office files are not converted: nothing keeps them from the files that the server may read and the network here, and SOFFICE is not set",
      "only LibreOffice's settings keep office files from the files that the server may read and the network here",
    ]);
  });

  test("is refused as before where its sender does not ask for a conversion", async () => {
    expect((await send("notes", {})).body).toEqual({
      success: false,
      code: "UNSUPPORTED_TYPE",
      message: "“Unit 3.docx” is a text file, not a PDF. Save it as a PDF and upload that",
    });
  });

  test.each([
    ["hangs", "hang", "takes too long to become a PDF here"],
    ["works without end", "busy", "could not be made a PDF here"],
    ["dies", "die", "could not be made a PDF here"],
    ["writes half a PDF", "half", "is damaged and cannot be opened"],
    ["writes garbage", "garbage", "is damaged and cannot be opened"],
    ["eats memory", "memory", "could not be made a PDF here"],
    ["writes without end", "flood", "could not be made a PDF here"],
  ])(
    "is refused with its remedy and leaves nothing behind when the converter %s",
    async (_what, word, why) => {
      // A converter gives way to everything else, so that on a busy machine it reaches its other bounds late.
      if (word === "hang") store.deps.office = await standInConverter({ timeoutMs: 3000 });
      else if (word === "busy")
        store.deps.office = await standInConverter({ timeoutMs: 150_000, processorS: 1 });
      else store.deps.office = patient;
      const before = await traces();
      const answer = await send(word);
      expect([answer.status, answer.body.code]).toEqual([422, "UNREADABLE_FILE"]);
      expect(answer.body.message).toContain(why);
      expect(answer.body.message).toMatch(
        word === "half" || word === "garbage" ? /^“Unit 3.pdf” / : /^“Unit 3.docx” /,
      );
      expect(answer.body.message).toContain("as a PDF");
      expect(await traces()).toEqual(before);
    },
  );

  test.each(["link", "folder", "pipe"])(
    "is refused where the converter leaves a %s in place of the PDF: it would lead out of its folder, or never end",
    async (word) => {
      store.deps.office = patient;
      const elsewhere = await tempFolder();
      const pdf = join(elsewhere, "document.pdf");
      await writeFile(pdf, plainPdf(2));
      const answer = await send(`${word}\n${word === "folder" ? elsewhere : pdf}\n`);
      expect([answer.status, answer.body.code]).toEqual([422, "UNREADABLE_FILE"]);
    },
  );

  test("is ended before its files take more of the disk than five megabytes each and twenty in all", async () => {
    const flood = await convert("flood");
    expect(flood.files).toEqual([["document.pdf", 5_000_192]]);
    const many = await convert("many");
    expect([flood.made, many.made]).toEqual([
      { ok: false, reason: "failed" },
      { ok: false, reason: "failed" },
    ]);
    expect(many.files.length).toBeGreaterThan(4);
    expect(many.files.length).toBeLessThan(100);
  });

  test("is ended where the disk has less left than orders need, and its sender is told that there is no room", async () => {
    const space = new DiskSpace(store.dataDir, Number.MAX_SAFE_INTEGER);
    store.deps.office = await standInConverter({ space, timeoutMs: 60_000 });
    const { status, body } = await send("hang");
    store.deps.office = patient;
    expect([status, body.message]).toEqual([
      503,
      "The store has no room for more files at the moment. Please try again later",
    ]);
    expect(await countConversions()).toBe(0);
  });

  test("is converted while ten of another account's never end", async () => {
    const office = await standInConverter({ scale: 1, timeoutMs: 60_000 });
    const leaving = new AbortController();
    const ten = Array.from({ length: 10 }, () =>
      convert("hang", office, { account: "many", signal: leaving.signal }).catch(() => "left"),
    );
    const other = await convert(`fine\n${plainPdf(1).toString("base64")}`, office, { account: "other" });
    expect(other.made.ok).toBe(true);
    leaving.abort();
    expect(await Promise.all(ten)).toEqual(ten.map(() => "left"));
  });

  test("of a student is converted while those of three visits at one address never end", async () => {
    const before = store.deps.office;
    store.deps.office = await standInConverter({ timeoutMs: 60_000 });
    const owner = await signedInOwner(store, [shopId]);
    await removeHours(store, shopId);
    const code = await codeAt(owner.visitor, shopId);
    const visits = [1, 2, 3].map(() => visitorAt(store, shopId, code));
    const leaving = new AbortController();
    const form = new FormData();
    form.set("convert", "pdf");
    form.set("file", new Blob(["hang"]), "Unit 3.docx");
    const init = { method: "POST", body: form, signal: leaving.signal };
    const left = (await Promise.all(visits)).map((one) =>
      one.fetch("/api/v1/uploads", init).catch(() => "left"),
    );
    await expect.poll(countConversions).toBe(1);
    expect((await send(`fine\n${plainPdf(1).toString("base64")}`)).status).toBe(200);
    leaving.abort();
    expect(await Promise.all(left)).toEqual(left.map(() => "left"));
    await expect.poll(countConversions).toBe(0);
    store.deps.office = before;
  });

  test("frees its place for the next of its account once its sender has left", async () => {
    const before = store.deps.office;
    store.deps.office = await standInConverter({ timeoutMs: 60_000 });
    const leaving = new AbortController();
    const form = new FormData();
    form.set("convert", "pdf");
    form.set("file", new Blob(["hang"]), "Unit 3.docx");
    const init = { method: "POST", body: form, signal: leaving.signal };
    const left = visitor.fetch("/api/v1/uploads", init).catch(() => "left");
    await expect.poll(countConversions).toBe(1);
    leaving.abort();
    expect(await left).toBe("left");
    expect((await send(`fine\n${plainPdf(1).toString("base64")}`)).status).toBe(200);
    await expect.poll(countConversions).toBe(0);
    store.deps.office = before;
  });

  test("is refused with what to do about it where it has a password", async () => {
    expect((await send(oldOfficeFile(1024, "EncryptedPackage"))).body).toMatchObject({
      code: "UNSUPPORTED_TYPE",
      message:
        "“Unit 3.docx” is an Office document with a password. Remove the password in the program that made it, or save it as a PDF, and upload that",
    });
  });

  test.each([
    ["the first entry of a directory", 1024],
    ["the last of a long one", 40 * 1024 - 128],
    ["an entry behind many megabytes", 12_000_000],
  ])("is known for a presentation of Office 97 by %s", async (_where, at) => {
    expect(await kindOf(oldOfficeFile(at))).toBe("ppt");
  });

  test.each([
    ["WordDocument", "doc"],
    ["Workbook", "xls"],
    ["Workbooks", undefined],
  ])("is known by the stream of its content: %s", async (stream, kind) => {
    expect(await kindOf(oldOfficeFile(1024, stream))).toBe(kind);
  });

  test("is not known by a name that its text has", async () => {
    expect(await kindOf(oldOfficeFile(1024 + 64))).toBeUndefined();
    const both = oldOfficeFile(2048);
    both.write("PowerPoint Document", 1024 + 64, "utf16le");
    expect(await kindOf(both)).toBe("ppt");
  });

  test.each([
    ["UTF-8", Buffer.from("Résumé ₹500"), "utf-8"],
    ["UTF-8 with its mark", Buffer.from("\ufeffRésumé ₹500"), "utf-8"],
    ["a single letter", Buffer.from("a"), "utf-8"],
    ["UTF-16", Buffer.from("\ufeffRésumé ₹500", "utf16le"), "utf-16"],
    ["UTF-16 of the other byte order", Buffer.from("\ufeffRésumé ₹500", "utf16le").swap16(), "utf-16"],
    ["Windows-1252", Buffer.from("R\xe9sum\xe9 \x96 \xa3500", "latin1"), "windows-1252"],
    ["Windows-1252 with control characters", Buffer.from("R\xe9sum\xe9\x01", "latin1"), undefined],
    ["UTF-16 with control characters", Buffer.from("\ufeffR\u0001", "utf16le"), undefined],
  ])("is known for a text in %s", async (_which, text, encoding) => {
    const path = join(await tempFolder(), "text");
    await writeFile(path, text);
    const sniffed = await sniffOtherThanPdf(path);
    expect([sniffed?.encoding, sniffed?.extension]).toEqual([encoding, encoding && "txt"]);
  });

  test.each([
    ["template", "vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml", "docx"],
    ["template with macros", "vnd.ms-word.template.macroEnabledTemplate.main+xml", "docx"],
    ["Word document with macros", "vnd.ms-word.document.macroEnabled.main+xml", "docx"],
    ["template of slides", "vnd.openxmlformats-officedocument.presentationml.template.main+xml", "pptx"],
    ["template of slides with macros", "vnd.ms-powerpoint.template.macroEnabled.main+xml", "pptx"],
    ["presentation with macros", "vnd.ms-powerpoint.presentation.macroEnabled.main+xml", "pptx"],
    ["slide show", "vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml", "pptx"],
    ["slide show with macros", "vnd.ms-powerpoint.slideshow.macroEnabled.main+xml", "pptx"],
    ["template of sheets", "vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml", "xlsx"],
    ["template of sheets with macros", "vnd.ms-excel.template.macroEnabled.main+xml", "xlsx"],
    ["spreadsheet with macros", "vnd.ms-excel.sheet.macroEnabled.main+xml", "xlsx"],
  ])("is converted also where it is a %s", async (_kind, type, extension) => {
    const types = `<Types><Override PartName="/main.xml" ContentType="application/${type}"/></Types>`;
    const path = join(await tempFolder(), "document");
    await writeFile(path, zipSync({ "[Content_Types].xml": Buffer.from(types) }));
    expect(await sniffOtherThanPdf(path)).toMatchObject({ extension });
  });

  test.each([
    ["text", "odt"],
    ["text-template", "odt"],
    ["presentation", "odp"],
    ["presentation-template", "odp"],
    ["spreadsheet", "ods"],
    ["spreadsheet-template", "ods"],
  ])("is converted also where it is an OpenDocument %s", async (type, extension) => {
    const mimetype = Buffer.from(`application/vnd.oasis.opendocument.${type}`);
    expect(await kindOf(zipSync({ mimetype: [mimetype, { level: 0 }] }))).toBe(extension);
  });

  test("is converted also where it is rich text, and an e-book is not", async () => {
    expect(await kindOf(Buffer.from("{\\rtf1 Unit 3}"))).toBe("rtf");
    const mimetype = Buffer.from("application/epub+zip");
    expect(await kindOf(zipSync({ mimetype: [mimetype, { level: 0 }] }))).toBeUndefined();
  });

  test("is converted without the server's environment", async () => {
    process.env.OFFICE_TEST_SECRET = "not-for-converters";
    const { out } = await convert("environment");
    delete process.env.OFFICE_TEST_SECRET;
    const seen = await readFile(join(out, "document.pdf"), "utf8");
    expect(seen).toContain("FONTCONFIG_FILE=");
    expect(seen).not.toContain("not-for-converters");
  });

  test("is converted with a limit of memory", async () => {
    const limitsOf = async (office: OfficeConverter) =>
      readFile(join((await convert("limits", office)).out, "document.pdf"), "utf8");
    expect(await limitsOf(patient)).toBe("2 s, 300000 kB\n");
    expect(await limitsOf(await standInConverter())).toBe("60 s, 2500000 kB\n");
  });

  test.each([
    ["with namespaces of its own, where they are to be had", true],
    ["without them", false],
  ])("is what Linux ends first where memory is short, not the server, %s", async (_how, namespaces) => {
    // Landlock would keep the stand-in from looking.
    const { out } = await convert("sacrificed", await standInConverter({ namespaces, landlock: false }));
    expect(await readFile(join(out, "document.pdf"), "utf8")).toBe("1000\n");
  });

  test.skipIf(!hasLandlock).each([
    ["with namespaces of its own, where they are to be had", true],
    ["without them", false],
  ])("is converted by what can read and write no file of the server, %s", async (_how, namespaces) => {
    const office = await standInConverter({ namespaces });
    const secret = join(store.dataDir, "secret.pdf");
    await writeFile(secret, plainPdf(2));
    const read = await convert(`read\n${secret}`, office);
    expect(read.files).toEqual([["document.pdf", 0]]);
    const written = await convert(`write\n${secret}\n${plainPdf(1).toString("base64")}`, office);
    expect(written.files).toEqual([["document.pdf", plainPdf(1).length]]);
    expect((await readFile(secret)).equals(plainPdf(2))).toBe(true);
    await rm(secret);
  });

  for (const [guard, isHere, settings] of [
    ["namespaces of its own", hasNamespaces, { landlock: false }],
    ["Landlock", landlockVersion >= 4, { namespaces: false }],
  ] as const)
    test.skipIf(!isHere)(`is converted by what reaches no server, for ${guard}`, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const text = `connect\n127.0.0.1:${(server.address() as AddressInfo).port}`;
      const reached = [];
      for (const guards of [{ namespaces: false, landlock: false }, settings]) {
        const { out } = await convert(text, await standInConverter(guards));
        reached.push(await readFile(join(out, "document.pdf"), "utf8"));
      }
      await new Promise((resolve) => server.close(resolve));
      expect(reached).toEqual(["reached", "not reached"]);
    });

  test.skipIf(!existsSync("/proc/self/autogroup")).each([
    ["with namespaces of its own, where they are to be had", true],
    ["without them", false],
  ])(
    "gives way to everything else, also where Linux shares the processor among sessions, and ends with all that it began, %s",
    async (_how, namespaces) => {
      const folder = await tempFolder();
      const path = join(folder, "in.txt");
      await writeFile(path, "hang");
      const leaving = new AbortController();
      const office = await standInConverter({ namespaces, timeoutMs: 60_000 });
      const outcome = office.convert({ path, extension: "txt", folder }, { signal: leaving.signal });
      await expect
        .poll(() => prioritiesOf("sleep", `WORK=${folder}\0`))
        .toContainEqual([19, await readFile("/proc/self/autogroup", "utf8")]);
      leaving.abort();
      await expect(outcome).rejects.toMatchObject({ code: "BAD_REQUEST" });
      await expect.poll(() => prioritiesOf("sleep", `WORK=${folder}\0`)).toEqual([]);
    },
  );

  test("is no longer converted once its sender is gone", async () => {
    const folder = await tempFolder();
    const path = join(folder, "in.txt");
    await writeFile(path, "hang");
    const gone = new AbortController();
    const office = await standInConverter({ timeoutMs: 60_000 });
    const outcome = office.convert({ path, extension: "txt", folder }, { signal: gone.signal });
    gone.abort();
    await expect(outcome).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe.skipIf(!found)("an office file, by the LibreOffice of this machine", () => {
  beforeAll(async () => {
    store.deps.office = await standInConverter({
      soffice: found ?? "",
      timeoutMs: PATIENCE_MS,
      maxBytes: 50_000_000,
    });
  });
  afterAll(() => {
    store.deps.office = null;
  });

  test.each(["utf8", "utf16le"] as const)(
    "becomes a PDF with its letters of Indian scripts and its emoji: %s",
    async (encoding) => {
      const { body } = await send(Buffer.from("\ufeffनमस्ते দুনিয়া வணக்கம் hello 🚀\n", encoding));
      expect([body.pages, body.converted_from]).toEqual([1, "txt"]);
      const pdf = Buffer.from(await (await visitor.fetch(body.secure_url)).arrayBuffer()).toString("latin1");
      expect(["NotoSansBengali", "NotoSansTamil"].filter((font) => !pdf.includes(font))).toEqual([]);
      expect(pdf).toMatch(/Noto(Color)?Emoji/);
    },
  );

  test("is printed in fonts as narrow as those that are missing", async () => {
    const fonts = ["Trebuchet MS", "Calibri Light"];
    const words = fonts.map(
      (font) => `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t>Unit 3</w:t></w:r></w:p>`,
    );
    const { body } = await send(wordDocument(words.join("")));
    const pdf = Buffer.from(await (await visitor.fetch(body.secure_url)).arrayBuffer()).toString("latin1");
    expect(pdf.match(/(?<=\+)\w+/g)).toEqual(expect.arrayContaining(["LiberationSans", "Carlito"]));
  });

  test.each([
    ["with namespaces of its own, where they are to be had", true],
    ["without them, by its profile alone", false],
  ])("asks no server for the pictures that a document links, %s", async (_how, namespaces) => {
    const before = store.deps.office;
    store.deps.office = await standInConverter({
      soffice: found ?? "",
      timeoutMs: PATIENCE_MS,
      namespaces,
      landlock: namespaces,
    });
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { status, body } = await send(documentWithBackground(`http://127.0.0.1:${port}/tracker.png`));
    await new Promise((resolve) => server.close(resolve));
    store.deps.office = before;
    expect([status, body.converted_from, asked]).toEqual([200, "odt", []]);
  });

  test("runs no macro of a document, by its profile alone", async () => {
    const folder = await tempFolder();
    const [ran, document] = [join(folder, "ran"), join(folder, "document.odt")];
    await writeFile(document, documentWithMacro(ran));
    // LibreOffice without our profile runs it once it has opened the document.
    const profile = join(folder, "profile", "user");
    await mkdir(profile, { recursive: true });
    await writeFile(join(profile, "registrymodifications.xcu"), PROFILE_WITH_MACROS);
    const opened = spawn(
      found ?? "",
      [`-env:UserInstallation=file://${folder}/profile`, "--headless", "--norestore", "--view", document],
      { stdio: "ignore", detached: true },
    );
    await expect.poll(() => existsSync(ran), { timeout: PATIENCE_MS }).toBe(true);
    process.kill(-(opened.pid ?? Number.NaN), "SIGKILL");
    await rm(ran);

    const before = store.deps.office;
    store.deps.office = await standInConverter({
      soffice: found ?? "",
      timeoutMs: PATIENCE_MS,
      namespaces: false,
      landlock: false,
    });
    const { body } = await send(documentWithMacro(ran));
    store.deps.office = before;
    expect([body.pages, body.converted_from, existsSync(ran)]).toEqual([1, "odt", false]);
  });

  test.each([
    ["in its text, by its profile alone", documentWithPicture, false],
    ["behind its text, without namespaces", documentWithBackground, true],
  ])("prints no file of the server that a document links %s", async (_where, document, landlock) => {
    const before = store.deps.office;
    store.deps.office = await standInConverter({
      soffice: found ?? "",
      timeoutMs: PATIENCE_MS,
      namespaces: false,
      landlock,
    });
    const picture = join(await tempFolder(), "secret.png");
    await sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } }).toFile(picture);
    const { status, body } = await send(document(`file://${picture}`));
    store.deps.office = before;
    const pdf = Buffer.from(await (await visitor.fetch(body.secure_url)).arrayBuffer()).toString("latin1");
    expect([status, pdf.includes("/Subtype/Image")]).toEqual([200, false]);
  });

  /** Hostile documents may be refused for time or for memory, whichever is reached first. */
  const REFUSED =
    /(could not be made a PDF|takes too long to become a PDF) here.* Save it as a PDF and upload that/;

  test.each([
    ["unpacks to 120 megabytes of paragraphs", documentBomb],
    ["brings 300 fonts of 20 megabytes each", fontBomb],
  ])("is refused and leaves nothing behind where it %s", async (_what, bomb) => {
    const before = await traces();
    const { status, body } = await send(bomb());
    expect([status, body.code]).toEqual([422, "UNREADABLE_FILE"]);
    expect(body.message).toMatch(REFUSED);
    expect(await traces()).toEqual(before);
  });

  test("of 2,000 pages is counted as they come out", async () => {
    const { status, body } = await send(textOfPages(2000));
    expect([status, body.pages]).toEqual([200, expect.toSatisfy((pages) => pages > 1500 && pages < 2500)]);
  });
});
