import { z } from "zod";
import { DAY_MS } from "../durations.ts";
import { MAX_FILES } from "../order-limits.ts";
import { idField } from "./fields.ts";

/** The answer to an upload, in the format of the contract's hosting service; `bytes` is the file's size. */
export const uploadedFile = z
  .object({
    secure_url: z.string(),
    pages: z.number().int(),
    public_id: z.string(),
    bytes: z.number().int(),
    format: z.string(),
    original_filename: z.string(),
    converted_from: z.string().optional().meta({ description: "What the PDF was made of, such as docx" }),
  })
  .meta({ id: "UploadedFile" });
export type UploadedFile = z.infer<typeof uploadedFile>;

export const approvedFile = z
  .object({ public_id: idField.meta({ description: "The file, as its upload was answered" }) })
  .meta({ id: "ApprovedFile" });

/** A file that may have been stored in the last so many ms. */
export const sentInput = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex"),
  withinMs: z.number().int().min(0).max(DAY_MS),
});
export type SentInput = z.infer<typeof sentInput>;

/** The files of one draft. */
export const coloursInput = z.object({ ids: z.array(idField).min(1).max(MAX_FILES) });
