import "../../ui/overlay-styles.ts";
import "@mantine/core/styles/Modal.layer.css";
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { hasPage, printedPages, togglePage, writePrinted } from "#shared/print-pages.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { openPdf } from "#ui/pdf/pdf-documents.ts";
import { ViewerPages } from "#ui/pdf/viewer-pages.tsx";
import { findPages } from "./file-restore.ts";
import classes from "./page-viewer.module.css";
import { MAX_TYPED_RANGES, type OrderPageData, type PrintFile } from "./print-file.ts";

interface PageViewerProps {
  file: PrintFile;
  /** Which pages are printed; undefined until it is uploaded. */
  printed: OrderPageData | undefined;
  /** Called with the ranges that print one page less or more. */
  onRanges: (ranges: string) => void;
  /** Given for a converted file that waits for it. */
  onApprove: (() => Promise<void>) | undefined;
  onClose: () => void;
}

/** Shows the pages of a file full screen. Load it lazily: it imports pdf.js. */
export function PageViewer({ file, printed, onRanges, onApprove, onClose }: PageViewerProps) {
  const { data: pdf, isError } = useDocument(file);
  useBackCloses(true, onClose);
  return (
    // The lock of Mantine lets fingers move an enlarged page only the way that it scrolls; the style sheet has another one.
    <Modal.Root
      opened
      onClose={onClose}
      fullScreen
      padding={0}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Content className={classes.viewer}>
        <div className={classes.header}>
          <Modal.Title className={classes.title}>{file.name}</Modal.Title>
          <Modal.CloseButton aria-label="Close the page viewer" size="lg" />
        </div>
        <Modal.Body className={classes.body}>
          {pdf && (
            <ViewerPages
              pdf={pdf}
              name={file.name}
              isPrinted={printed && ((page) => hasPage(printedPages(printed), page))}
              besidePage={(page) =>
                printed && <PageToggle page={page} printed={printed} onRanges={onRanges} />
              }
            />
          )}
          {!pdf && (
            <p className={classes.message} role="status">
              {isError ? "The pages of this file cannot be shown here." : "Opening the pages…"}
            </p>
          )}
        </Modal.Body>
        {onApprove && <ApprovalBar isShown={pdf !== undefined} onApprove={onApprove} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  );
}

interface PageToggleProps {
  page: number;
  printed: OrderPageData;
  onRanges: (ranges: string) => void;
}

/** Leaves the page out of the print, or takes it in again. */
function PageToggle({ page, printed, onRanges }: PageToggleProps) {
  const ranges = printedPages(printed);
  const changed = writePrinted(togglePage(ranges, page), printed.pages) ?? "";
  return (
    <Button
      size="compact-md"
      variant="default"
      className={classes.toggle}
      disabled={changed.length > MAX_TYPED_RANGES}
      onClick={() => onRanges(changed)}
    >
      {hasPage(ranges, page) ? "Leave this page out" : "Print this page"}
    </Button>
  );
}

function useDocument(file: PrintFile) {
  const query = useQuery({
    queryKey: ["pages", file.key],
    queryFn: ({ signal }) => openFile(file, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const pdf = query.data;
  useEffect(() => () => void pdf?.loadingTask.destroy(), [pdf]);
  return query;
}

async function openFile(file: PrintFile, signal: AbortSignal) {
  const source = await findPages(file);
  if (!source) throw new Error("neither this browser nor the store has the file");
  return openPdf(source, signal);
}

interface ApprovalBarProps {
  /** Whether the pages can be seen. */
  isShown: boolean;
  onApprove: () => Promise<void>;
  onClose: () => void;
}

/** Below the pages of a converted file: what may have moved, and the button that lets it be ordered. */
function ApprovalBar({ isShown, onApprove, onClose }: ApprovalBarProps) {
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState("");

  async function approve() {
    setSaving(true);
    setProblem("");
    try {
      await onApprove();
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  }

  return (
    <section className={classes.approval} aria-label="Check the pages">
      <p>
        <strong>It will be printed like this.</strong> Fonts, tables and page breaks may have moved: look
        through the pages. If something is wrong, save the file as a PDF on your device and add that.
      </p>
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <Button size="md" disabled={!isShown} loading={isSaving} onClick={pressOnce(() => void approve())}>
        Looks right
      </Button>
    </section>
  );
}
