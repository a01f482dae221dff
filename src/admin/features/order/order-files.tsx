import { ActionIcon, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useShortcuts } from "#admin/lib/shortcuts.ts";
import { momentText, recentText } from "#admin/lib/times.ts";
import { counted } from "#shared/counted.ts";
import { formatBytes } from "#shared/file-size.ts";
import { chosenPagesText } from "#shared/page-words.ts";
import { NO_PAGES } from "#shared/print-pages.ts";
import type { OrderDetail, OrderFile } from "./order-answers.ts";
import classes from "./order-files.module.css";
import { OrderPrints } from "./order-prints.tsx";
import { PanelSection } from "./panel-section.tsx";

const FileViewer = lazy(async () => {
  const { FileViewer } = await import("./file-viewer.tsx");
  return { default: FileViewer };
});

/** The files in the order in which they are printed, or what became of them. */
export function OrderFiles({ order: { id, number, files, filesDeleteAt } }: { order: OrderDetail }) {
  const [viewed, setViewed] = useState<OrderFile | null>(null);
  const first = files.find(isPrinted);
  useShortcuts(
    "Files",
    first ? [{ keys: "P", label: "Look at the pages", run: () => setViewed(first) }] : [],
  );

  return (
    <PanelSection title={counted(files.length, "file")}>
      {files.every(({ deletedAt }) => !deletedAt) && <OrderPrints id={id} number={number} />}
      {filesDeleteAt && (
        <Text size="xs" c="dimmed" mb="xs">
          Will be deleted at {recentText(filesDeleteAt)}
        </Text>
      )}
      <ol className={classes.files}>
        {files.map((file) => (
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
            {file.deletedAt && <Deletion file={file} />}
            {isPrinted(file) && (
              <ActionIcon
                component="a"
                href={`/files/${file.id}`}
                download={file.name}
                variant="default"
                size="lg"
                className={classes.download}
                aria-label={`Download ${file.name}`}
              >
                <IconDownload size={18} aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ol>
      {viewed && (
        <Suspense>
          <FileViewer file={viewed} onClose={() => setViewed(null)} />
        </Suspense>
      )}
    </PanelSection>
  );
}

/** Whether there is a print copy of it: not of a deleted file, nor of one of which no page is ordered. */
function isPrinted({ deletedAt, pageRanges }: OrderFile): boolean {
  return !deletedAt && pageRanges !== NO_PAGES;
}

/** Where the deletion of a file stands: it counts as done only once its bytes are gone. */
function Deletion({ file: { deletedBy, erasedAt, eraseFailedAt } }: { file: OrderFile }) {
  const by = deletedBy ? ` by ${deletedBy}` : "";
  if (erasedAt) {
    return (
      <Text size="xs" c="dimmed" className={classes.deletion}>
        Deleted {momentText(erasedAt)}
        {by}
      </Text>
    );
  }
  return (
    <Text size="xs" className={classes.deletion} role="status" data-failing={eraseFailedAt !== null}>
      {eraseFailedAt
        ? `Could not be removed since ${momentText(eraseFailedAt)}. It is tried again every minute`
        : "Deleting…"}
    </Text>
  );
}
