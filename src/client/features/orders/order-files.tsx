import { formatBytes } from "#shared/file-size.ts";
import { chosenPagesText } from "#shared/page-words.ts";
import { FileLines } from "../files/file-lines.tsx";
import { filesText as countText } from "../files/file-words.ts";
import { Card } from "../print/card.tsx";
import classes from "./order-files.module.css";
import { filesText, type OrderDetail } from "./own-order.ts";

/** What is printed, and what became of it: documents are deleted once printed. */
export function OrderFiles({ order: { files, filesFate } }: { order: OrderDetail }) {
  return (
    <Card title="Files" aside={countText(files.length)}>
      <FileLines
        files={files.map((file) => ({
          key: file.id,
          name: file.name,
          facts: `${chosenPagesText(file)}, ${formatBytes(file.bytes)}`,
        }))}
      />
      <p className={classes.fate} data-status={filesFate.status}>
        {filesText({ files: filesFate })}
      </p>
    </Card>
  );
}
