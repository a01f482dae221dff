import { Button, Group, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect } from "react";
import { useDownload } from "../../lib/download.ts";
import { Loader, ScreenMessage } from "../../ui/screen-states.tsx";
import classes from "./file-viewer.module.css";
import type { OrderFile } from "./order-types.ts";

interface FileViewerProps {
  file: OrderFile;
  onClose: () => void;
}

/** Shows the printed pages of a file full screen. */
export function FileViewer({ file, onClose }: FileViewerProps) {
  const url = `/files/${file.id}`;
  const { data, isError } = usePdf(url);
  const download = useDownload();
  return (
    <Modal opened onClose={onClose} title={file.name} fullScreen padding="xs" classNames={classes}>
      {data && <data.ViewerPages pdf={data.pdf} name={file.name} />}
      {!data && !isError && <Loader />}
      {isError && (
        <ScreenMessage title="The pages cannot be shown here" text="Download the file to look at it.">
          <Group>
            <Button component="a" href={url} download={file.name} onClick={download}>
              Download
            </Button>
          </Group>
        </ScreenMessage>
      )}
    </Modal>
  );
}

/** The document, and the pages that show it: pdf.js is larger than the rest of the console. */
function usePdf(url: string) {
  const { checkSession } = useRouteContext({ from: "__root__" });
  const query = useQuery({
    queryKey: ["pages", url],
    queryFn: async () => {
      const [{ openPdf }, { ViewerPages }] = await Promise.all([
        import("#ui/pdf/pdf-documents.ts"),
        import("#ui/pdf/viewer-pages.tsx"),
      ]);
      // Without a session there seems to be no such file.
      const pdf = await openPdf(url).catch(async (error) => {
        if (await checkSession()) return openPdf(url);
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
