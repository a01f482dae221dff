import { CloseButton, Group, Rating, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { addressLine, counted, mailLink } from "#shared/format.ts";
import { indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { commonFacts, describeParts, LAYOUT_LABEL } from "#shared/order-jobs.ts";
import { colourText, countColours } from "#shared/page-colours.ts";
import { billedLines, keyOfLine, type PriceLine } from "#shared/pricing.ts";
import { starsText } from "#shared/ratings.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Loader, QueryFailure } from "../../ui/screen.tsx";
import { OrderFiles } from "./order-files.tsx";
import { OrderHead } from "./order-head.tsx";
import { OrderHold } from "./order-hold.tsx";
import { whatsAppLink } from "./order-labels.ts";
import { StateMark } from "./order-marks.tsx";
import { OrderNotes } from "./order-notes.tsx";
import classes from "./order-panel.module.css";
import { OrderPayments } from "./order-payments.tsx";
import { OrderReprint } from "./order-reprint.tsx";
import type { OrderDetail } from "./order-types.ts";
import { Fact, Facts, PanelSection } from "./panel-section.tsx";

interface OrderPanelProps {
  orderId: string;
  onClose: () => void;
}

/** How often to check whether deleted files are erased. */
const ERASING_MS = 2000;

/** One order's details beside the list, or in its place on a narrow screen. */
export function OrderPanel({ orderId, onClose }: OrderPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const { data, error, refetch } = trpc.board.order.useQuery(
    { orderId },
    { staleTime: 0, refetchInterval: ({ state }) => (isErasing(state.data) ? ERASING_MS : false) },
  );

  // Not what was known of an order that the person must not see any more, because they have lost its shop.
  const order = codeOf(error) === "NOT_FOUND" ? undefined : data;

  // Where the panel covers the list, the focus must not stay under it.
  useEffect(() => {
    if (panel.current && getComputedStyle(panel.current).position === "fixed") panel.current.focus();
  }, []);

  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={classes.panel}
      aria-label={order ? `Order ${order.number}` : "Order"}
    >
      <div className={classes.bar}>
        <h2 className={classes.number}>{order?.number}</h2>
        {order && <StateMark state={order.state} fulfilment={order.fulfilment} />}
        <CloseButton className={classes.close} size="lg" aria-label="Close the order" onClick={onClose} />
      </div>
      {order && <OrderBody order={order} />}
      {!order && error && <QueryFailure title="This order could not be loaded" query={{ error, refetch }} />}
      {!order && !error && <Loader />}
      <LeaveGuard active={() => hasText(panel.current)} of={(search) => "order" in search && search.order} />
    </aside>
  );
}

/** Whether a note, an answer or a reason was begun. */
function hasText(panel: HTMLElement | null): boolean {
  return [...(panel?.querySelectorAll("textarea") ?? [])].some(({ value }) => value.trim() !== "");
}

function isErasing(order: OrderDetail | undefined): boolean {
  return order?.files.some(({ deletedAt, erasedAt }) => deletedAt && !erasedAt) ?? false;
}

/** An order's details in the order of need: actions, files, student, history. */
function OrderBody({ order }: { order: OrderDetail }) {
  return (
    <>
      <OrderHead order={order} />
      <OrderHold order={order} />
      <OrderReprint order={order} />
      <OrderJob order={order} />
      <OrderFiles order={order} />
      <OrderNotes orderId={order.id} notes={order.notes} />
      <OrderStudent order={order} />
      <OrderPrice quote={order.quote} />
      <OrderPayments order={order} />
      <OrderRating order={order} />
      <OrderHistory order={order} />
    </>
  );
}

/** The student's rating, if any. */
function OrderRating({ order: { stars } }: { order: OrderDetail }) {
  if (stars === null) return null;
  return (
    <PanelSection title="Rating">
      <Group gap="xs">
        <Rating value={stars} color="marigold" readOnly aria-hidden="true" />
        <Text>{starsText(stars)}</Text>
      </Group>
    </PanelSection>
  );
}

/** The student's contact details and the address. */
function OrderStudent({ order }: { order: OrderDetail }) {
  const { student, address, fulfilment } = order;
  const { fullName, email, phone } = student;
  return (
    <PanelSection title={fulfilment === "counter" ? "At the counter" : "Student"}>
      <Facts>
        <Fact name="Name">{fullName}</Fact>
        {phone && (
          <Fact name="Phone">
            <a href={`tel:${phone}`}>{phone}</a> ·{" "}
            <a href={whatsAppLink(order)} target="_blank" rel="noreferrer">
              WhatsApp
            </a>
          </Fact>
        )}
        {email && (
          <Fact name="Email">
            <a href={mailLink(email)}>{email}</a>
          </Fact>
        )}
        {fulfilment === "counter" && <Fact name="Collects at">the counter, without an account</Fact>}
        {fulfilment === "pickup" && <Fact name="Collects at">the shop</Fact>}
        {address && <Fact name="Deliver to">{addressLine(address)}</Fact>}
      </Facts>
    </PanelSection>
  );
}

/** The print options, with a hint on how much colour the files contain. */
function OrderJob({ order }: { order: OrderDetail }) {
  const { pages, copies, quote, files } = order;
  const colour = colourText(countColours(files));
  return (
    <PanelSection title="Print job">
      <Facts>
        <Fact name="Pages">{pages}</Fact>
        <Fact name="Copies">
          <strong>{copies}</strong>
        </Fact>
        <Fact name="Paper">{counted(quote.sheets, "sheet")}</Fact>
        {commonFacts(order).map(({ label, value }) =>
          label === LAYOUT_LABEL ? (
            <Fact key={label} name="Layout">
              <strong>{value}</strong>
              <Hint>In the print pack they are in place already</Hint>
            </Fact>
          ) : (
            <Fact key={label} name={label}>
              {value}
              {label === OPTION_FIELDS.printedColours.label && colour && <Hint>{colour}</Hint>}
            </Fact>
          ),
        )}
        {describeParts(order).map((part) => (
          <Fact key={part.title} name={part.title}>
            <strong>{part.name}</strong>
            {part.files.map((file) => (
              <span key={file.name} className={classes.part}>
                {file.name}, {file.pages}
              </span>
            ))}
            <Hint>
              {counted(part.pages, "page")}
              {copies > 1 && ` × ${counted(copies, "copy")}`} on {counted(part.sheets, "sheet")}, printed by
              itself
            </Hint>
          </Fact>
        ))}
      </Facts>
    </PanelSection>
  );
}

function Hint({ children }: { children: ReactNode }) {
  return (
    <Text component="span" display="block" size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** The history of the order's states. */
function OrderHistory({ order }: { order: OrderDetail }) {
  return (
    <PanelSection title="History">
      <ol className={classes.entries}>
        {order.history.map(({ state, at, by, reason }) => (
          <li key={`${at} ${state}`}>
            <StateMark state={state} fulfilment={order.fulfilment} />
            <span className={classes.when}>
              {indianMoment(at)}
              {by && `, ${by}`}
            </span>
            {reason && <p className={classes.reason}>{reason}</p>}
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

/** The price at the time of the order. */
function OrderPrice({ quote }: { quote: OrderDetail["quote"] }) {
  const sums: [string, number][] = [
    ["Rounded up to whole rupees", quote.roundingPaise],
    ["Subtotal", quote.subTotalPaise],
    ["Tax", quote.taxPaise],
    ["Delivery fee", quote.deliveryFeePaise],
  ];
  return (
    <PanelSection title="Price">
      <table className={classes.prices} aria-label="Price">
        <tbody>
          {billedLines(quote).map((line) => (
            <tr key={keyOfLine(line)}>
              <th scope="row">
                {quote.jobs.length > 1 ? line.name : OPTION_FIELDS[line.kind].label}{" "}
                <small>{calculation(line)}</small>
              </th>
              <td>{formatPaise(line.amountPaise)}</td>
            </tr>
          ))}
          {sums
            .filter(([name, paise]) => paise > 0 || name === "Subtotal")
            .map(([name, paise]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatPaise(paise)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{formatPaise(quote.totalPaise)}</td>
          </tr>
        </tfoot>
      </table>
    </PanelSection>
  );
}

/** Such as `₹1.50 × 64 pages`. */
function calculation({ unitPaise, basis, quantity }: PriceLine): string {
  if (basis === "order") return "once";
  return `${formatPaise(unitPaise)} × ${counted(quantity, basis)}`;
}
