import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { Article, type ArticleSection } from "../ui/article.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/refund-and-cancellation")({
  head: () =>
    pageHead({
      title: "Refund and Cancellation",
      description:
        "Orders cannot be cancelled or refunded; a printing error reported within 3 days is reprinted free of charge.",
    }),
  component: RefundPage,
});

function RefundPage() {
  return (
    <>
      <PageTitle lead="No cancellations or refunds. A printing error reported within 3 days is printed again.">
        Refund and Cancellation
      </PageTitle>
      <Article sections={REFUND_SECTIONS} />
    </>
  );
}

const REFUND_SECTIONS: readonly ArticleSection[] = [
  {
    id: "no-cancellations",
    title: "No cancellations or refunds",
    content: (
      <>
        <p>
          Each order is printed for you alone, often within minutes, and nobody else can use it. Once an order
          is placed it cannot be cancelled, and its price is not refunded, unless the shop puts it on hold or
          cannot print it.
        </p>
        <p>
          Please look at the preview, the pages, the copies and the total before you press Place Order.
          Nothing is ordered until you do.
        </p>
      </>
    ),
  },
  {
    id: "reprints",
    title: "A reprint for printing errors",
    content: (
      <>
        <p>
          If we made a printing error, tell us within 3 days of receiving the order, and the shop prints it
          again at no cost to you.
        </p>
        <p>A printing error is, for example:</p>
        <ul>
          <li>pages that are missing, doubled, or in the wrong order;</li>
          <li>print that is smudged, faded, cut off or hard to read, though the file is not;</li>
          <li>another colour, side, cover or binding than you ordered;</li>
          <li>fewer copies than you ordered.</li>
        </ul>
      </>
    ),
  },
  {
    id: "not-an-error",
    title: "What is not a printing error",
    content: (
      <ul>
        <li>mistakes that are in the uploaded file: spelling, a wrong version, low resolution;</li>
        <li>options that you chose, such as black and white for coloured slides;</li>
        <li>small differences between a screen's colours and those of ink on paper.</li>
      </ul>
    ),
  },
  {
    id: "how-to-report",
    title: "How to report one",
    content: (
      <ol>
        <li>
          Open the order under <Link to="/orders">Orders</Link> within 3 days of its delivery, and choose
          ‘Report a printing error’.
        </li>
        <li>Say which pages are wrong, and add up to five photos. The shop answers there and by email.</li>
        <li>
          Keep the file ready: uploaded documents are deleted once printed, so we ask you to send it again for
          the reprint.
        </li>
      </ol>
    ),
  },
  {
    id: "shop-cancels",
    title: "When a shop cannot print",
    content: (
      <p>
        Sometimes a shop cannot print an order, because a machine is down or a file cannot be printed. It then
        cancels the order before printing and says why. You do not pay for an order that a shop cancelled; if
        you paid by UPI already, the shop refunds you. While it only has a question, the order is on hold, and
        until it is printed you can cancel it yourself, on the same terms.
      </p>
    ),
  },
];
