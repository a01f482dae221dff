import { Button, Group, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect } from "react";
import { openPdf } from "#ui/pdf/pdf-documents.ts";
import { ViewerPages } from "#ui/pdf/viewer-pages.tsx";
import { Loader } from "../../ui/loader.tsx";
import { ScreenMessage } from "../../ui/screen-message.tsx";
import classes from "./file-viewer.module.css";
import type { OrderFile } from "./order-types.ts";

interface FileViewerProps {
  file: OrderFile;
  onClose: () => void;
}

/** Shows the printed pages of a file full screen. Load it lazily: it imports pdf.js. */
export function FileViewer({ file, onClose }: FileViewerProps) {
  const url = `/files/${file.id}`;
  const { data: pdf, isError } = usePdf(url);
  return (
    <Modal opened onClose={onClose} title={file.name} fullScreen padding="xs" classNames={classes}>
      {pdf && <ViewerPages pdf={pdf} name={file.name} />}
      {!pdf && !isError && <Loader />}
      {isError && (
        <ScreenMessage title="The pages cannot be shown here" text="Download the file to look at it.">
          <Group>
            <Button component="a" href={url} download={file.name}>
              Download
            </Button>
          </Group>
        </ScreenMessage>
      )}
    </Modal>
  );
}

function usePdf(url: string) {
  const { checkSession } = useRouteContext({ from: "__root__" });
  const query = useQuery({
    queryKey: ["pages", url],
    // Without a session there seems to be no such file.
    queryFn: () =>
      openPdf(url).catch(async (error) => {
        if (await checkSession()) return openPdf(url);
        throw error;
      }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { data: pdf } = query;
  useEffect(() => () => void pdf?.loadingTask.destroy(), [pdf]);
  return query;
}
