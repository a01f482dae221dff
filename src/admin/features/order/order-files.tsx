import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { counted, formatBytes } from "#shared/format.ts";
import { indianClock, indianMoment } from "#shared/indian-time.ts";
import { pageNotes } from "#shared/page-checks.ts";
import { type PaperName, paperOf } from "#shared/paper-sizes.ts";
import { chosenPagesText, NO_PAGES } from "#shared/print-pages.ts";
import TbDownload from "~icons/tabler/download";
import TbPrinter from "~icons/tabler/printer";
import { serverNow, useNow } from "../../lib/clock.ts";
import { useCheckSession, useDownload } from "../../lib/session.ts";
import { ignoreRepeats, useShortcuts } from "../../lib/shortcuts.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Loader, ScreenMessage } from "../../ui/screen.tsx";
import classes from "./order-files.module.css";
import type { OrderDetail, OrderFile } from "./order-types.ts";
import { PanelSection } from "./panel-section.tsx";
import { canPrint, useIsPreparing, usePrint } from "./use-print.ts";

/** The files in printing order, or when they were deleted. */
export function OrderFiles({ order }: { order: OrderDetail }) {
  const { files, filesDeleteAt, sizeNotes } = order;
  const [viewed, setViewed] = useState<OrderFile | null>(null);
  const download = useDownload();
  const first = files.find(isPrinted);
  useShortcuts("Files", first ? [{ keys: "V", label: "View pages", run: () => setViewed(first) }] : []);

  return (
    <PanelSection title={counted(files.length, "file")}>
      {canPrint(order, useNow()) && <OrderPrints order={order} />}
      {sizeNotes.map(
        (note, at) =>
          first &&
          note && (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an order keep their places
            <Text key={at} size="sm" fw={600} mb="xs">
              {sizeNotes.length > 1 && `Part ${at + 1}: `}
              {note.text}. Print asks whether to fit to {note.paper}
            </Text>
          ),
      )}
      {filesDeleteAt && (
        <Text size="xs" c="dimmed" mb="xs">
          Will be deleted at {indianClock(Date.parse(filesDeleteAt), serverNow())}
        </Text>
      )}
      <ol className={classes.files}>
        {files.map((file, at) => (
          <li key={file.id} className={classes.file}>
            {isPrinted(file) ? (
              <button type="button" className={classes.view} onClick={() => setViewed(file)}>
                {file.name}
              </button>
            ) : (
              <span className={classes.name}>{file.name}</span>
            )}
            <span className={classes.size}>
              {chosenPagesText(file)}, {formatBytes(file.bytes)}
            </span>
            {isPrinted(file) && <PageNotes file={file} paper={paperOfFile(order, at)} />}
            {file.deletedAt && <Deletion file={file} />}
            {isPrinted(file) && (
              <ActionIcon
                component="a"
                href={`/files/${file.id}`}
                download={file.name}
                onClick={download}
                variant="default"
                size="lg"
                className={classes.download}
                aria-label={`Download ${file.name}`}
              >
                <TbDownload size={18} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ol>
      <FileViewer file={viewed} onClose={() => setViewed(null)} />
    </PanelSection>
  );
}

/** Whether the file can be printed: it is not deleted, and pages of it are ordered. */
function isPrinted({ deletedAt, pageRanges }: OrderFile): boolean {
  return !deletedAt && pageRanges !== NO_PAGES;
}

/** The paper of a file; null where its name says no size, and where parts of the file have different ones. */
function paperOfFile({ jobs, quote }: OrderDetail, at: number): PaperName | null {
  const papers = jobs.flatMap(({ pageRanges }, job) =>
    pageRanges[at] === NO_PAGES ? [] : [paperOf(quote.jobs[job]?.lines ?? [])],
  );
  return papers.every((paper) => paper === papers[0]) ? (papers[0] ?? null) : null;
}

/** What may come out wrong on paper. */
function PageNotes({ file, paper }: { file: OrderFile; paper: PaperName | null }) {
  return pageNotes(file, paper).map((note) => (
    <Text key={note} size="xs" className={classes.deletion}>
      {note}
    </Text>
  ));
}

/** The state of a file's deletion, which is done only when its bytes are erased. */
function Deletion({ file: { deletedBy, erasedAt, eraseFailedAt } }: { file: OrderFile }) {
  const by = deletedBy ? ` by ${deletedBy}` : "";
  if (erasedAt) {
    return (
      <Text size="xs" c="dimmed" className={classes.deletion}>
        Deleted {indianMoment(erasedAt)}
        {by}
      </Text>
    );
  }
  return (
    <Text size="xs" className={classes.deletion} role="status" data-failing={eraseFailedAt !== null}>
      {eraseFailedAt
        ? `Could not be deleted since ${indianMoment(eraseFailedAt)}. Retrying every minute`
        : "Deleting…"}
    </Text>
  );
}

/** Opens the print pack, one PDF with everything to print, in a new tab; the order stays in its state. */
function OrderPrints({ order }: { order: OrderDetail }) {
  const print = usePrint();
  const open = () => print([order], { stays: true });
  useShortcuts("Prints", [{ keys: "O", label: "Open the print pack", run: ignoreRepeats(open) }]);
  return (
    <Button
      mb="sm"
      variant="default"
      loading={useIsPreparing([order])}
      leftSection={<TbPrinter size={18} />}
      onClick={open}
    >
      Print pack
    </Button>
  );
}

interface FileViewerProps {
  /** null while the viewer is closed */
  file: OrderFile | null;
  onClose: () => void;
}

/** Shows the printed pages of a file full screen. */
function FileViewer({ file, onClose }: FileViewerProps) {
  return (
    <Modal
      opened={file !== null}
      onClose={onClose}
      title={file?.name}
      fullScreen
      padding="xs"
      classNames={{ content: classes.viewer, body: classes.pages }}
    >
      {file && <FilePages file={file} />}
    </Modal>
  );
}

function FilePages({ file }: { file: OrderFile }) {
  const url = `/files/${file.id}`;
  const { data, isError } = usePdf(url);
  const download = useDownload();
  if (data) return <data.ViewerPages pdf={data.pdf} name={file.name} />;
  if (!isError) return <Loader />;
  return (
    <ScreenMessage title="The pages cannot be shown here" text="Download the file to look at it.">
      <Group>
        <Button component="a" href={url} download={file.name} onClick={download}>
          Download
        </Button>
      </Group>
    </ScreenMessage>
  );
}

/** The document, and the pages that show it: pdf.js is larger than the rest of the console. */
function usePdf(url: string) {
  const checkSession = useCheckSession();
  const query = useQuery({
    queryKey: ["pages", url],
    queryFn: async ({ signal }) => {
      const [{ openPdf }, { ViewerPages }] = await Promise.all([
        import("#ui/pdf/pdf-documents.ts"),
        import("#ui/pdf/viewer-pages.tsx"),
      ]);
      // Without a session there seems to be no such file.
      const pdf = await openPdf(url, signal).catch(async (error) => {
        if (!signal.aborted && (await checkSession())) return openPdf(url, signal);
        throw error;
      });
      return { pdf, ViewerPages };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const pdf = query.data?.pdf;
  useEffect(() => () => void pdf?.loadingTask.destroy(), [pdf]);
  return query;
}
