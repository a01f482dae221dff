import { IconFileText } from "@tabler/icons-react";
import classes from "./file-row.module.css";
import type { PrintFile } from "./print-file.ts";
import { useThumbnail } from "./thumbnails.ts";

export function FileThumbnail({ file }: { file: PrintFile }) {
  const thumbnail = useThumbnail(file);
  return (
    <span className={classes.thumbnail} aria-hidden="true">
      {thumbnail ? <img src={thumbnail} alt="" /> : <IconFileText size={28} stroke={1.5} />}
    </span>
  );
}
