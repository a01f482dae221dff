import { formatBytes } from "#client/ui/file-size.ts";
import { chosenPagesText } from "#shared/page-words.ts";
import { filesText as countText } from "../files/file-words.ts";
import { Card } from "../print/card.tsx";
import classes from "./order-files.module.css";
import { filesText, type OrderDetail } from "./own-order.ts";

/** What is printed, and what became of it: documents are deleted once printed. */
export function OrderFiles({ order: { files, filesFate } }: { order: OrderDetail }) {
  return (
    <Card title="Files" aside={countText(files.length)}>
      <ol className={classes.files}>
        {files.map((file) => (
          <li key={file.id}>
            <span>{file.name}</span>
            <span className={classes.size}>
              {chosenPagesText(file)}, {formatBytes(file.bytes)}
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.fate} data-status={filesFate.status}>
        {filesText({ files: filesFate })}
      </p>
    </Card>
  );
}
