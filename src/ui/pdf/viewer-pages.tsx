import { useElementSize } from "@mantine/hooks";
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { type ReactNode, useEffect, useRef, useState } from "react";
import TbChevronDown from "~icons/tabler/chevron-down";
import TbChevronUp from "~icons/tabler/chevron-up";
import { IconButton } from "../icon-button.tsx";
import { drawPage } from "./pdf-documents.ts";
import classes from "./viewer-pages.module.css";

const MAX_PAGE_WIDTH = 880;
const GAP = 16;

interface ViewerPagesProps {
  pdf: PDFDocumentProxy;
  name: string;
  /** Whether the page, from 1, is printed; others are dimmed. By default all are. */
  isPrinted?: ((page: number) => boolean) | undefined;
  /** What is shown beside the number of the page in view, from 1. */
  besidePage?: (page: number) => ReactNode;
}

/** The pages in a virtual list: only those in view and their neighbours are rendered. */
export function ViewerPages({ pdf, name, isPrinted = () => true, besidePage }: ViewerPagesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: frame, width } = useElementSize();
  const pageWidth = Math.min(width, MAX_PAGE_WIDTH);
  const pages = useVirtualizer({
    count: pdf.numPages,
    getScrollElement: () => scroller.current,
    estimateSize: () => Math.round(pageWidth * A4_RATIO),
    gap: GAP,
    overscan: 1,
    enabled: pageWidth > 0,
  });
  const [chosen, setChosen] = useState(0);
  const current = pageInSight(pages, chosen);
  const goTo = (index: number) => {
    setChosen(index);
    pages.scrollToIndex(index, { align: "start" });
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be within reach of the keyboard */}
      <section ref={scroller} className={classes.scroller} aria-label={`Pages of ${name}`} tabIndex={0}>
        <div ref={frame} className={classes.frame} style={{ height: pages.getTotalSize() }}>
          {pages.getVirtualItems().map(({ key, index, start }) => (
            <div
              key={key}
              ref={pages.measureElement}
              data-index={index}
              data-left-out={!isPrinted(index + 1) || undefined}
              className={classes.slot}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ViewerPage pdf={pdf} index={index} width={pageWidth} />
            </div>
          ))}
        </div>
      </section>
      <div className={classes.bar}>
        <IconButton label="Previous page" disabled={current === 0} onClick={() => goTo(current - 1)}>
          <TbChevronUp size={24} />
        </IconButton>
        <span role="status">
          Page {current + 1} of {pdf.numPages}
          {!isPrinted(current + 1) && ", left out"}
        </span>
        <IconButton
          label="Next page"
          disabled={current >= pdf.numPages - 1}
          onClick={() => goTo(current + 1)}
        >
          <TbChevronDown size={24} />
        </IconButton>
        {besidePage?.(current + 1)}
      </div>
    </>
  );
}

/** The page, from 0, that most can be seen of. Of several as good, such as slides, it is the one that was chosen, or the first. */
function pageInSight(pages: Virtualizer<HTMLDivElement, Element>, chosen: number): number {
  const top = pages.scrollOffset ?? 0;
  const height = pages.scrollRect?.height ?? 0;
  let [best, most] = [chosen, 0];
  for (const { index, start, end, size } of pages.getVirtualItems()) {
    const seen = Math.min(end, top + height) - Math.max(start, top);
    const share = seen / Math.min(size, height);
    // A pixel that is cut off counts for nothing.
    if (share > most + 0.01 || (index === chosen && share > most - 0.01)) [best, most] = [index, share];
  }
  return best;
}

/** Height / width of A4, for pages that are not loaded yet. */
const A4_RATIO = Math.SQRT2;

/** A higher density is not visible, and memory grows with its square. */
const MAX_DENSITY = 2;

interface ViewerPageProps {
  pdf: PDFDocumentProxy;
  /** From 0. */
  index: number;
  /** In CSS pixels. */
  width: number;
}

function ViewerPage({ pdf, index, width }: ViewerPageProps) {
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
    }).catch(() => {
      // An empty page, and not half of one. React removes the canvas itself, so it must stay in the document.
      surface.width = 0;
    });
    return () => {
      drawing.abort();
      // Frees the canvas' memory, which some browsers keep until garbage collection.
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
      {page && <canvas ref={canvas} className={classes.canvas} />}
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
