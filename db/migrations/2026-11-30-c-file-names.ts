import type { Kysely } from "kysely";

const BATCH = 500;

interface StandingFiles {
  files: { id: string; owner_id: string; original_filename: string };
  users: { id: string; deleted_at: string | null };
}

/** Names that were taken as they came become those of PDFs, by the rule of this day; of deleted accounts there is none left. */
export async function up(db: Kysely<StandingFiles>): Promise<void> {
  for (let last = ""; ; ) {
    const files = await db
      .selectFrom("files")
      .innerJoin("users", "users.id", "files.owner_id")
      .select(["files.id", "original_filename"])
      .where("users.deleted_at", "is", null)
      .where("files.id", ">", last)
      .orderBy("files.id")
      .limit(BATCH)
      .execute();
    for (const { id, original_filename } of files) {
      const cleaned = cleanFileName(original_filename);
      if (cleaned === original_filename) continue;
      await db.updateTable("files").set({ original_filename: cleaned }).where("id", "=", id).execute();
    }
    const newest = files.at(-1);
    if (!newest) return;
    last = newest.id;
  }
}

const NAMELESS = "document";
const EXTENSION = ".pdf";
/** File systems take 255 bytes; the rest is left to what others put before or behind the name. */
const MAX_BYTES = 200;
/** Latin letters first, so that "Chapter 1.2" keeps its number. */
const OTHER_EXTENSION = /\.[a-z][a-z0-9]{0,5}$/i;
/** Nobody sees them, or they turn the direction of what stands beside them. */
const INVISIBLE = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\s\u200c\u200d]]/gv;
/** Joiners shape letters in Indian scripts, and emoji; anywhere else they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Emoji}])/gv;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
const DEVICE_ON_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * A PDF's name as people may see it and save it under on any system: the last part of the path that came, without what
 * is invisible, in NFC, never empty or over-long, and ending in `.pdf` whatever it claimed to be.
 */
function cleanFileName(name: string): string {
  const lastPart = name.split(/[\\/]/).at(-1) ?? "";
  const visible = lastPart
    .toWellFormed()
    .replace(INVISIBLE, "")
    .normalize("NFC")
    .replace(STRAY_JOINER, "")
    .replace(FORBIDDEN_ON_WINDOWS, "-")
    .replace(/\s+/g, " ");
  const stem = withoutExtension(visible).replace(DEVICE_ON_WINDOWS, "_$1");
  return (shorten(stem) || NAMELESS) + EXTENSION;
}

/** Dots at the beginning would hide a file, and Windows drops those and spaces at the end. */
function withoutExtension(name: string): string {
  const whole = name.replace(/[\s.]+$/, "");
  const stem = whole.replace(OTHER_EXTENSION, "");
  // Of "thesis.pdf.hta" both go; of "notes.v2.pdf" only what it is.
  return /\.pdf$/i.test(stem) ? withoutExtension(stem) : stem.replace(/^[\s.]+|[\s.]+$/g, "");
}

/** Cuts between characters as people see them. */
function shorten(stem: string): string {
  const encoder = new TextEncoder();
  let bytes = EXTENSION.length;
  for (const { segment, index } of new Intl.Segmenter().segment(stem)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_BYTES) return stem.slice(0, index).replace(/[\s.]+$/, "");
  }
  return stem;
}
