import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { drawPage } from "./pdf-documents.ts";
import classes from "./viewer-pages.module.css";

/** Height over width of A4, which stands for a page that is not known yet. */
export const A4_RATIO = Math.SQRT2;

/** More is not seen, and costs memory by its square. */
const MAX_DENSITY = 2;

interface ViewerPageProps {
  pdf: PDFDocumentProxy;
  /** From 0. */
  index: number;
  /** In CSS pixels. */
  width: number;
}

export function ViewerPage({ pdf, index, width }: ViewerPageProps) {
  const page = usePage(pdf, index);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = page?.getViewport({ scale: 1 });

  useEffect(() => {
    const surface = canvas.current;
    if (!page || !surface) return;
    const drawing = new AbortController();
    drawPage(page, surface, {
      width,
      density: Math.min(window.devicePixelRatio, MAX_DENSITY),
      signal: drawing.signal,
    }).catch(() => surface.remove());
    return () => {
      drawing.abort();
      // Some browsers keep a canvas's memory until it is collected.
      surface.width = 0;
      page.cleanup();
    };
  }, [page, width]);

  return (
    <div
      className={classes.page}
      style={{ width, aspectRatio: size ? size.width / size.height : 1 / A4_RATIO }}
      role="img"
      aria-label={`Page ${index + 1}`}
    >
      {page && <canvas ref={canvas} key={width} className={classes.canvas} />}
    </div>
  );
}

function usePage(pdf: PDFDocumentProxy, index: number): PDFPageProxy | null {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  useEffect(() => {
    let wanted = true;
    pdf.getPage(index + 1).then(
      (loaded) => wanted && setPage(loaded),
      () => wanted && setPage(null),
    );
    return () => {
      wanted = false;
    };
  }, [pdf, index]);
  return page;
}
