import { PDFDocument } from "pdf-lib";
import { FAILURE } from "#shared/messages.ts";
import { A4 } from "#shared/sheet-layout.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { importForPhotos } from "./photo-scripts.ts";

/** In points, of which an inch has 72; printers cannot print up to the edge. */
const MARGIN = 24;
const POINTS_PER_INCH = 72;
/** More is not visible on paper and slow to upload. */
const MAX_DPI = 250;
/** Small photos are enlarged, but not beyond this resolution. */
const MIN_DPI = 72;
const JPEG_QUALITY = 0.88;

/**
 * A PDF with one A4 page per readable photo, portrait or landscape like the photo; a popup names those that cannot be
 * read. Throws if none can be read, and the signal's reason.
 */
export async function photosToPdf(
  photos: readonly File[],
  signal: AbortSignal,
): Promise<{ pdf: Blob; readable: File[] }> {
  const pdf = await PDFDocument.create();
  const readable: File[] = [];
  const problems: UnreadablePhoto[] = [];
  for (const photo of photos) {
    signal.throwIfAborted();
    try {
      await addPage(pdf, photo, signal);
      readable.push(photo);
    } catch (error) {
      if (!(error instanceof UnreadablePhoto)) throw error;
      problems.push(error);
    }
  }
  const [problem, ...more] = problems;
  if (problem && readable.length === 0) throw problem;
  const bytes = await pdf.save();
  if (problem) explain(problem, more.length, readable.length);
  return { pdf: new Blob([new Uint8Array(bytes)], { type: "application/pdf" }), readable };
}

function explain({ message }: UnreadablePhoto, more: number, readable: number): void {
  const same =
    more === 0
      ? ""
      : more === 1
        ? " One more cannot be read either."
        : ` ${more} more cannot be read either.`;
  const rest = readable === 1 ? "The other photo is added." : `The other ${readable} photos are added.`;
  showError({ title: FAILURE.upload, text: `${message}.${same} ${rest}` });
}

/** A file that is no photo, with a message for the student. */
class UnreadablePhoto extends Error {}

async function addPage(pdf: PDFDocument, photo: File, signal: AbortSignal): Promise<void> {
  const bitmap = await decodePhoto(photo, signal);
  try {
    const lying = bitmap.width > bitmap.height;
    const page = pdf.addPage(lying ? [A4.height, A4.width] : [A4.width, A4.height]);
    const box = { width: page.getWidth() - 2 * MARGIN, height: page.getHeight() - 2 * MARGIN };
    const size = sizeOnPage(bitmap, box);
    const image = await pdf.embedJpg(await toJpeg(bitmap, size.width));
    page.drawImage(image, {
      ...size,
      x: (page.getWidth() - size.width) / 2,
      y: (page.getHeight() - size.height) / 2,
    });
  } finally {
    bitmap.close();
  }
}

interface Size {
  width: number;
  height: number;
}

/** Size of the photo on the page, in points. */
function sizeOnPage(photo: Size, box: Size): Size {
  const largest = POINTS_PER_INCH / MIN_DPI;
  const scale = Math.min(box.width / photo.width, box.height / photo.height, largest);
  return { width: photo.width * scale, height: photo.height * scale };
}

/** The photo as JPEG on white, scaled to at most MAX_DPI at this width. */
async function toJpeg(bitmap: ImageBitmap, widthInPoints: number): Promise<ArrayBuffer> {
  const useful = (widthInPoints / POINTS_PER_INCH) * MAX_DPI;
  const scale = Math.min(1, useful / bitmap.width);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context)
    throw new Error("Your browser has no room left for this photo. Close other pages and try again");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const jpeg = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY),
  );
  canvas.width = 0;
  if (!jpeg) throw new Error("Your browser has no room left for this photo. Close other pages and try again");
  return jpeg.arrayBuffer();
}

const HEIC_NAME = /\.hei[cf]$/i;
const HEIC_TYPE = /^image\/hei[cf]$/i;

/** The photo's pixels, rotated by its EXIF orientation. Throws UnreadablePhoto. */
async function decodePhoto(photo: File, signal: AbortSignal): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(photo, { imageOrientation: "from-image" });
  } catch {
    const bitmap = isHeic(photo) ? await decodeHeic(photo, signal) : null;
    if (bitmap) return bitmap;
    throw new UnreadablePhoto(
      `“${photo.name}” cannot be read as a photo. Save it as JPG or PNG and add it again`,
    );
  }
}

function isHeic({ name, type }: File): boolean {
  return HEIC_NAME.test(name) || HEIC_TYPE.test(type);
}

const importHeic = importForPhotos(() => import("heic-to/csp"));

/** For browsers without HEIC support; the decoder is large and loaded on demand. Null if it cannot read the photo. */
async function decodeHeic(photo: File, signal: AbortSignal): Promise<ImageBitmap | null> {
  const { heicTo } = await importHeic(signal);
  return heicTo({ blob: photo, type: "bitmap" }).catch(() => null);
}
