import { formatBytes } from "#client/ui/file-size.ts";
import { filesText as countText, pagesText } from "../files/file-words.ts";
import { Card } from "../print/card.tsx";
import classes from "./order-files.module.css";
import { filesText, type OrderDetail } from "./own-order.ts";

/** What is printed, and what became of it: documents are deleted once printed. */
export function OrderFiles({ order: { files, filesFate } }: { order: OrderDetail }) {
  return (
    <Card title="Files" aside={countText(files.length)}>
      <ol className={classes.files}>
        {files.map(({ id, name, pages, bytes }) => (
          <li key={id}>
            <span>{name}</span>
            <span className={classes.size}>
              {pagesText(pages)}, {formatBytes(bytes)}
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
