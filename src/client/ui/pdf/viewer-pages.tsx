import { useElementSize } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useRef } from "react";
import { IconButton } from "../icon-button.tsx";
import { A4_RATIO, ViewerPage } from "./viewer-page.tsx";
import classes from "./viewer-pages.module.css";

const MAX_PAGE_WIDTH = 880;
const GAP = 16;

/** The pages below one another. Only those in view and their neighbours exist, however long the document is. */
export function ViewerPages({ pdf, name }: { pdf: PDFDocumentProxy; name: string }) {
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
  const middle = (pages.scrollOffset ?? 0) + (pages.scrollRect?.height ?? 0) / 2;
  const current = pages.getVirtualItemForOffset(middle)?.index ?? 0;
  const goTo = (index: number) => pages.scrollToIndex(index, { align: "start" });

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
          <IconChevronUp aria-hidden="true" />
        </IconButton>
        <span role="status">
          Page {current + 1} of {pdf.numPages}
        </span>
        <IconButton
          label="Next page"
          disabled={current >= pdf.numPages - 1}
          onClick={() => goTo(current + 1)}
        >
          <IconChevronDown aria-hidden="true" />
        </IconButton>
      </div>
    </>
  );
}
