import { counted } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { areMostlyWide } from "#shared/paper-sizes.ts";
import type { Quote } from "#shared/pricing.ts";
import { listPages, printedPages } from "#shared/print-pages.ts";
import { bookletOrder, fitInto, printedSide, type SheetLayout } from "#shared/sheet-layout.ts";
import type { OrderPageData } from "../files/print-file.ts";
import { usePageChecks } from "../files/use-page-checks.ts";
import classes from "./layout-field.module.css";
import type { PrintPlan } from "./print-plan.ts";

/** Shapes of pages, in points: A4, and slides. */
const UPRIGHT = { width: 595, height: 842 };
const WIDE = { width: 960, height: 540 };

export interface SheetPreviewProps {
  layout: SheetLayout;
  plan: PrintPlan;
}

/** A picture of the first sheet, and what the layout saves. */
export function SheetPreview({ layout, plan }: SheetPreviewProps) {
  const first = plan.files.find((file) => printedPages(file).length > 0);
  const checks = usePageChecks(plan.files);
  const checked = first && checks.get(first.id);
  const isWide = first && checked ? areMostlyWide({ ...first, pageSizes: checked.pageSizes }) : false;
  return (
    <>
      <SheetPicture layout={layout} isWide={isWide} numbers={firstNumbers(first, layout)} />
      <p className={classes.saving}>{savingText(layout, plan)}</p>
    </>
  );
}

/** What is printed instead of one page on each side. */
function savingText({ pagesPerSide, isBooklet }: SheetLayout, { quote, plainQuote }: PrintPlan): string {
  if (isBooklet && (!quote || !plainQuote)) return "Each file becomes a booklet. You fold it.";
  if (!quote || !plainQuote) return `${pagesPerSide} pages share a side, in the order of reading.`;
  return `${sheetsText(quote, plainQuote)}: ${moneyText(plainQuote.totalPaise - quote.totalPaise)}`;
}

function sheetsText({ sheets }: Quote, plain: Quote): string {
  return sheets === plain.sheets
    ? `${counted(sheets, "sheet")} as before`
    : `${counted(sheets, "sheet")} instead of ${plain.sheets}`;
}

/** Rounding and fees can make a smaller order cost as much. */
function moneyText(savedPaise: number): string {
  if (savedPaise === 0) return "the price stays the same";
  return savedPaise > 0 ? `${formatPaise(savedPaise)} less` : `${formatPaise(-savedPaise)} more`;
}

/** The numbers of the pages on the first side; null for an empty half. */
function firstNumbers(file: OrderPageData | undefined, layout: SheetLayout): (number | null)[] {
  const ranges = file ? printedPages(file) : [{ first: 1, last: 4 * layout.pagesPerSide }];
  const numbers = listPages(ranges);
  if (!layout.isBooklet) return numbers.slice(0, layout.pagesPerSide);
  return bookletOrder(numbers.length)
    .slice(0, 2)
    .map((at) => numbers[at] ?? null);
}

interface SheetPictureProps {
  layout: SheetLayout;
  isWide: boolean;
  numbers: (number | null)[];
}

/** The first printed side, drawn from the same measures as the print. */
function SheetPicture({ layout, isWide, numbers }: SheetPictureProps) {
  const { width, height, cells } = printedSide(layout, isWide && !layout.isBooklet);
  const page = isWide ? WIDE : UPRIGHT;
  return (
    <svg
      className={classes.sheet}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`The first side, with page ${numbers.filter((number) => number !== null).join(", ")}`}
    >
      <rect className={classes.paper} width={width} height={height} />
      {layout.isBooklet && <line className={classes.fold} x1={width / 2} y1={0} x2={width / 2} y2={height} />}
      {numbers.map((number, at) => {
        if (number === null) return null;
        const box = fitInto(cells[at] ?? { x: 0, y: 0, ...page }, page);
        const top = height - box.y - box.height;
        return (
          <g key={number}>
            <rect
              className={classes.page}
              data-framed={layout.hasFrames || undefined}
              x={box.x}
              y={top}
              width={box.width}
              height={box.height}
            />
            <text
              x={box.x + box.width / 2}
              y={top + box.height / 2}
              fontSize={Math.min(box.width, box.height) / 2.6}
            >
              {number}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
