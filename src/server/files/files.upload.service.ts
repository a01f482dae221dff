import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { type Trx, transact } from "#db/transaction.ts";
import { cleanFileName } from "#shared/file-names.ts";
import type { UploadedFile } from "#shared/schemas/files.ts";
import { requireAccount } from "../accounts/accounts.profile.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Client } from "../fair-limit.ts";
import { fileUrl } from "./files.links.ts";
import { insertFile } from "./files.queries.ts";
import { type Reservation, withRoom } from "./files.room.service.ts";
import { sniffOtherThanPdf } from "./files.sniffing.ts";
import type { StagedFile } from "./files.store.ts";
import type { PdfRefusal } from "./pdf.protocol.ts";

const REFUSALS: Record<PdfRefusal, string> = {
  locked: "is password-protected. Remove the password and upload it again",
  "unsupported-security":
    "is protected in a way that cannot be opened here. Save it without protection and upload it again",
  damaged: "is damaged and cannot be opened. Save or export it as a PDF again and upload that",
  "too-many-pages": "has more than 5,000 pages. Split it into smaller files and upload those",
  "hidden-layers":
    "has hidden layers and more than 100 pages. Print it to a new PDF, or split it, and upload that",
  "too-complex": "is too complex to be opened here. Print it to a new PDF and upload that",
};

/**
 * Takes in one PDF from a signed-in user: kept only when its pages could be counted, and copied as they will be for print. Throws
 * TOO_LARGE, NO_ROOM, STORAGE_FULL, INFECTED, UNSUPPORTED_TYPE, UNREADABLE_FILE or RATE_LIMITED, and BAD_REQUEST when it breaks
 * off or its sender is gone before it is counted, as `signal` says; nothing of it is left then.
 */
export async function uploadFile(
  ctx: Context<SignedIn>,
  body: Readable,
  signal?: AbortSignal,
): Promise<UploadedFile> {
  const client = { account: ctx.actor.user._id, signal };
  await ctx.limits.takeAll(["uploadAddress", ctx.address], ["uploadAccount", ctx.actor.user._id]);
  ctx.pdf.prepare(client);
  const name = cleanFileName(ctx.uploadName);
  const bytes = Math.min(ctx.contentLength ?? Number.POSITIVE_INFINITY, ctx.config.maxUploadBytes);
  return withRoom(ctx, { name, bytes }, (reservation) => receive(ctx, body, { name, client, reservation }));
}

async function receive(
  ctx: Context<SignedIn>,
  body: Readable,
  { name, client, reservation }: { name: string; client: Client; reservation: Reservation },
): Promise<UploadedFile> {
  const id = randomUUID();
  const staged = await ctx.files.stage(body, { key: id, maxBytes: ctx.config.maxUploadBytes });
  try {
    const pages = await countPages(ctx, staged, { name, client });
    const sha256 = await ctx.pdf.digest(staged.path, client);
    const file = newFile(ctx, staged, { id, name, pages, sha256 });
    await staged.keep(() => transact(ctx.db, (trx) => storeFile(trx, file, reservation)));
    ctx.wakeColourChecks();
    return toUploadedFile(ctx, file);
  } finally {
    await staged.discard();
  }
}

/** Within the account's life: what came in as it was deleted would otherwise stay behind. */
async function storeFile(trx: Trx, file: NewFile, reservation: Reservation): Promise<void> {
  await requireAccount(trx, file.owner_id);
  await reservation.settle(trx);
  await insertFile(trx, file);
}

async function countPages(
  ctx: Context,
  staged: StagedFile,
  { name, client }: { name: string; client: Client },
): Promise<number> {
  const other = await sniffOtherThanPdf(staged.path);
  if (other) throw new AppError("UNSUPPORTED_TYPE", `“${name}” is ${other.kind}. ${other.advice}`);
  await ctx.scanner.scan({ name: `“${name}”`, content: staged.path });
  const inspection = await ctx.pdf.inspect(staged.path, client);
  if (!inspection.ok) throw new AppError("UNREADABLE_FILE", `“${name}” ${REFUSALS[inspection.reason]}`);
  return inspection.pages;
}

function newFile(ctx: Context<SignedIn>, staged: StagedFile, { id, name, pages, sha256 }: NewFileFacts) {
  return {
    id,
    owner_id: ctx.actor.user._id,
    storage_key: id,
    original_filename: name,
    format: "pdf",
    bytes: staged.bytes,
    pages,
    sha256,
    created_at: ctx.now().toISOString(),
  };
}

interface NewFileFacts {
  id: string;
  name: string;
  pages: number;
  sha256: string;
}

type NewFile = ReturnType<typeof newFile>;

function toUploadedFile(ctx: Context, file: NewFile): UploadedFile {
  return {
    secure_url: fileUrl(ctx, file.id),
    pages: file.pages,
    public_id: file.id,
    bytes: file.bytes,
    format: file.format,
    original_filename: file.original_filename,
  };
}
