import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type Trx, transact } from "#db/transaction.ts";
import type { SentInput, UploadedFile } from "#shared/schemas/files.ts";
import { requireUploader } from "../accounts/visits.service.ts";
import type { Context, Uploader } from "../context.ts";
import { AppError } from "../errors.ts";
import { storageFull } from "../http/disk-space.ts";
import type { Client } from "../lib/fair-limit.ts";
import { cleanFileName, cleanSentName, sniffOtherThanPdf } from "./file-kinds.ts";
import { fileUrl } from "./file-links.ts";
import { findUnorderedOf, insertFile } from "./files.queries.ts";
import type { Conversion, OfficeConverter, OfficeFile } from "./office-converter.ts";
import type { PdfInspection, PdfRefusal } from "./pdf/inspector.ts";
import { type Reservation, withQuota } from "./quota.service.ts";
import type { StagedFile } from "./storage/file-store.ts";

const REFUSALS: Record<PdfRefusal, string> = {
  locked: "is password-protected. Enter its password, or remove the password and upload it again",
  "unsupported-security":
    "is protected in a way that cannot be opened here. Save it without protection and upload it again",
  damaged: "is damaged and cannot be opened. Save or export it as a PDF again and upload that",
  "too-many-pages": "has more than 5,000 pages. Split it into smaller files and upload those",
  "hidden-layers":
    "has hidden layers and more than 100 pages. Print it to a new PDF, or split it, and upload that",
  "too-complex": "is too complex to be opened here. Print it to a new PDF and upload that",
};

/** A file that arrives, as its upload announced it. */
interface Upload {
  name: string;
  /** Bytes that are reserved for it. */
  bytes: number;
  client: Client & { account: string };
  reservation: Reservation;
}

/**
 * Stores one PDF of a logged-in user or visitor, once its pages are counted and a print copy of them could be made. Instead of a
 * locked PDF that comes with its password, the unlocked print copy is stored; instead of an office document that may be
 * converted, its PDF. Throws TOO_LARGE, NO_ROOM, STORAGE_FULL, INFECTED, UNSUPPORTED_TYPE, UNREADABLE_FILE, PASSWORD_REQUIRED,
 * WRONG_PASSWORD or RATE_LIMITED, and BAD_REQUEST when the upload breaks off or `signal` aborts before it is counted; nothing of
 * it is left then.
 */
export async function uploadFile(
  ctx: Context<Uploader>,
  body: Readable,
  signal?: AbortSignal,
): Promise<UploadedFile> {
  const client = { account: ctx.actor.user._id, signal };
  const each = ctx.actor.kind === "visitor" ? "uploadVisit" : "uploadAccount";
  await ctx.limits.takeAll(["uploadAddress", ctx.address], [each, ctx.actor.user._id]);
  ctx.pdf.prepare(client);
  const name = cleanFileName(ctx.uploadName);
  const bytes = Math.min(ctx.contentLength ?? Number.POSITIVE_INFINITY, ctx.config.maxUploadBytes);
  return withQuota(ctx, { name, bytes }, (reservation) =>
    receive(ctx, body, { name, bytes, client, reservation }),
  );
}

async function receive(ctx: Context<Uploader>, body: Readable, upload: Upload): Promise<UploadedFile> {
  const id = randomUUID();
  const staged = await ctx.files.stage(body, { key: id, maxBytes: ctx.config.maxUploadBytes });
  try {
    const other = await sniffOtherThanPdf(staged.path);
    if (other?.extension && ctx.office && ctx.uploadFields.get("convert") === "pdf") {
      const { extension, encoding } = other;
      return await storeConverted(ctx, ctx.office, staged, { ...upload, extension, encoding });
    }
    if (other)
      throw new AppError(
        "UNSUPPORTED_TYPE",
        `“${cleanSentName(ctx.uploadName)}” is ${other.kind}. ${other.advice}`,
      );
    const inspection = await inspect(ctx, staged, upload);
    if (!inspection.ok && inspection.reason === "locked") return await storeUnlocked(ctx, staged, upload);
    return await store(ctx, staged, { ...upload, id, inspection, reservations: [upload.reservation] });
  } finally {
    await staged.discard();
  }
}

async function inspect(
  ctx: Context<Uploader>,
  { path }: StagedFile,
  { name, client }: Upload,
): Promise<PdfInspection> {
  await ctx.scanner.scan({ name: `“${name}”`, content: path });
  return ctx.pdf.inspect(path, client);
}

/** Longer ones open no PDF: its own limit is 127 bytes. */
const MAX_PASSWORD_LENGTH = 255;

/** Stores a print copy of a locked file, made with the password that came with it. The locked file is not kept. */
async function storeUnlocked(
  ctx: Context<Uploader>,
  { path, bytes }: StagedFile,
  upload: Upload,
): Promise<UploadedFile> {
  const { name, client } = upload;
  const password = ctx.uploadFields.get("password");
  if (!password) throw new AppError("PASSWORD_REQUIRED", `“${name}” ${REFUSALS.locked}`);
  const wrong = () =>
    new AppError("WRONG_PASSWORD", `This is not the password of “${name}”. Check it and try again`);
  await ctx.limits.use("filePasswordAccount", client.account);
  if (password.length > MAX_PASSWORD_LENGTH) throw wrong();
  return withScratchFolder(ctx, bytes, async (folder) => {
    const target = join(folder, "unlocked.pdf");
    const unlocked = await ctx.pdf.unlock({ path, password, target }, client);
    if (!unlocked.ok && unlocked.reason === "locked") throw wrong();
    await ctx.limits.giveBack([["filePasswordAccount", client.account]]);
    if (!unlocked.ok) throw unreadable(name, unlocked.reason);
    return storeMade(ctx, target, upload);
  });
}

/** Stores the PDF that an office document is converted to. The document is not kept. */
async function storeConverted(
  ctx: Context<Uploader>,
  office: OfficeConverter,
  { path, bytes }: StagedFile,
  { extension, encoding, ...upload }: Upload & Pick<OfficeFile, "extension" | "encoding">,
): Promise<UploadedFile> {
  const { actor } = ctx;
  // Anybody can open many visits: those of one address take turns like one account, or nobody else's document would be converted.
  const account = actor.kind === "visitor" ? actor.visit.addressHash : actor.user._id;
  const name = cleanSentName(ctx.uploadName);
  await ctx.scanner.scan({ name: `“${name}”`, content: path });
  return withScratchFolder(ctx, 2 * bytes, async (folder) => {
    const client = { ...upload.client, account };
    const converted = await office.convert({ path, extension, encoding, folder }, client);
    if (!converted.ok) throw notConverted(name, converted.reason);
    return storeMade(ctx, converted.path, upload, extension);
  });
}

type NotConverted = (Conversion & { ok: false })["reason"];

const NOT_CONVERTED: Record<Exclude<NotConverted, "no room">, string> = {
  "too slow": "takes too long to become a PDF here. Save it as a PDF and upload that",
  failed: "could not be made a PDF here: it may be locked or damaged. Save it as a PDF and upload that",
};

function notConverted(name: string, reason: NotConverted): AppError {
  if (reason === "no room") return storageFull();
  return new AppError("UNREADABLE_FILE", `“${name}” ${NOT_CONVERTED[reason]}`);
}

/** A folder for what is made of an upload, with `bytes` reserved on its disk; deleted afterwards. */
async function withScratchFolder<Result>(
  { printCopies }: Pick<Context, "printCopies">,
  bytes: number,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const release = await printCopies.space.take(bytes);
  try {
    const folder = await printCopies.openFolder();
    return await use(folder).finally(() => rm(folder, { recursive: true, force: true }));
  } finally {
    release();
  }
}

/** Stores the PDF at `path`, which was made of an upload, as if it had been uploaded. */
async function storeMade(
  ctx: Context<Uploader>,
  path: string,
  upload: Upload,
  convertedFrom?: string,
): Promise<UploadedFile> {
  const { size } = await stat(path);
  const more = { name: upload.name, bytes: Math.max(0, size - upload.bytes) };
  return withQuota(ctx, more, async (reservation) => {
    const id = randomUUID();
    const body = createReadStream(path);
    const staged = await ctx.files.stage(body, { key: id, maxBytes: ctx.config.maxUploadBytes });
    try {
      const inspection = await inspect(ctx, staged, upload);
      const reservations = [upload.reservation, reservation];
      return await store(ctx, staged, { ...upload, id, inspection, reservations, convertedFrom });
    } finally {
      await staged.discard();
    }
  });
}

async function store(
  ctx: Context<Uploader>,
  staged: StagedFile,
  {
    id,
    name,
    inspection,
    reservations,
    convertedFrom = null,
  }: {
    id: string;
    name: string;
    inspection: PdfInspection;
    reservations: Reservation[];
    convertedFrom?: string | null | undefined;
  },
): Promise<UploadedFile> {
  if (!inspection.ok) throw unreadable(name, inspection.reason);
  const file = newFile(ctx, staged, { id, name, inspection, convertedFrom });
  await staged.commit(() => transact(ctx.db, (trx) => storeFile(trx, file, reservations)));
  return toUploadedFile(ctx, file);
}

/** Fails where the account was deleted meanwhile: its file would stay behind. */
async function storeFile(trx: Trx, file: NewFile, reservations: Reservation[]): Promise<void> {
  await requireUploader(trx, file.owner_id);
  for (const { release } of reservations) await release(trx);
  await insertFile(trx, file);
}

function unreadable(name: string, reason: PdfRefusal): AppError {
  return new AppError("UNREADABLE_FILE", `“${name}” ${REFUSALS[reason]}`);
}

function newFile(
  ctx: Context<Uploader>,
  { bytes, sha256 }: StagedFile,
  {
    id,
    name,
    inspection: { pages, pageSizes },
    convertedFrom,
  }: {
    id: string;
    name: string;
    inspection: { pages: number; pageSizes: string };
    convertedFrom: string | null;
  },
) {
  return {
    id,
    owner_id: ctx.actor.user._id,
    original_filename: name,
    bytes,
    pages,
    page_sizes: pageSizes,
    sha256,
    converted_from: convertedFrom,
    created_at: ctx.now().toISOString(),
  };
}

type NewFile = ReturnType<typeof newFile>;

/**
 * The caller's own new files with this content that belong to no order, the newest first: a browser that has lost the answer to an
 * upload need not send the file again.
 */
export async function findUploaded(
  ctx: Context<Uploader>,
  { sha256, withinMs }: SentInput,
): Promise<UploadedFile[]> {
  const since = new Date(ctx.now().getTime() - withinMs).toISOString();
  const files = await findUnorderedOf(ctx.readDb, ctx.actor.user._id, { sha256, since });
  return files.map((file) => toUploadedFile(ctx, file));
}

function toUploadedFile(ctx: Context, file: NewFile): UploadedFile {
  return {
    secure_url: fileUrl(ctx, file.id),
    pages: file.pages,
    public_id: file.id,
    bytes: file.bytes,
    format: "pdf",
    original_filename: file.original_filename,
    ...(file.converted_from && { converted_from: file.converted_from }),
  };
}
