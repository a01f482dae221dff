import { useQuery } from "@tanstack/react-query";
import pLimit from "p-limit";
import { currentOwner } from "#ui/personal-data.ts";
import TbFileText from "~icons/tabler/file-text";
import { importOnline } from "../../lib/connection.ts";
import { cacheThumbnail, findThumbnail } from "./file-cache.ts";
import { findPages } from "./file-restore.ts";
import classes from "./file-row.module.css";
import type { PrintFile } from "./print-file.ts";

/** Twice the CSS size, for sharp thumbnails on phones; the height of an A4 page of that width. */
const WIDTH = 112;
const HEIGHT = 158;
/** Drawn at three times the size and scaled down; drawn directly, every hairline would be a full pixel wide. */
const DENSITY = 3;

const takeTurn = pLimit(1);

/** The first page of a file, or an icon in its place. */
export function FileThumbnail({ file }: { file: PrintFile }) {
  const thumbnail = useThumbnail(file);
  return (
    <span className={classes.thumbnail} aria-hidden="true">
      {thumbnail ? <img src={thumbnail} alt="" /> : <TbFileText size={28} strokeWidth={1.5} />}
    </span>
  );
}

/** The first page as a data URL; null while it is drawn, and for a file that cannot be drawn. */
function useThumbnail(file: PrintFile): string | null {
  const { data } = useQuery({
    queryKey: ["thumbnail", file.key, file.bytes, Boolean(file.uploaded)],
    queryFn: () => takeTurn(() => findOrDraw(file)),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
    retry: false,
  });
  return data ?? null;
}

async function findOrDraw(file: PrintFile): Promise<string | null> {
  const owner = currentOwner();
  const kept = await findThumbnail(file.key);
  if (kept) return kept;
  const source = await findPages(file);
  if (!source) return null;
  const thumbnail = await drawFirstPage(source).catch(() => null);
  if (thumbnail) await cacheThumbnail(owner, file.key, thumbnail);
  return thumbnail;
}

const importDocuments = importOnline(() => import("#ui/pdf/pdf-documents.ts"));

async function drawFirstPage(source: Blob | string): Promise<string> {
  const { drawPage, openPdf } = await importDocuments();
  const pdf = await openPdf(source);
  try {
    const page = await pdf.getPage(1);
    const { width, height } = page.getViewport({ scale: 1 });
    const canvas = document.createElement("canvas");
    await drawPage(page, canvas, { width: Math.min(WIDTH, (HEIGHT * width) / height), density: DENSITY });
    return shrink(canvas).toDataURL("image/jpeg", 0.8);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function shrink(large: HTMLCanvasElement): HTMLCanvasElement {
  const small = document.createElement("canvas");
  small.width = Math.max(1, Math.round(large.width / DENSITY));
  small.height = Math.max(1, Math.round(large.height / DENSITY));
  const context = small.getContext("2d");
  if (!context) return large;
  context.imageSmoothingQuality = "high";
  context.drawImage(large, 0, 0, small.width, small.height);
  return small;
}
