import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { Article, type ArticleSection } from "../ui/article.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/about-us")({
  head: () =>
    pageHead({
      title: "About us",
      description:
        "Print Store brings students and the print shops near their colleges together. Who we are and why.",
    }),
  component: AboutPage,
});

function AboutPage() {
  return (
    <>
      <PageTitle lead="The print shops near your college, without the queue and without the pen drive.">
        About us
      </PageTitle>
      <Article sections={ABOUT_SECTIONS} />
    </>
  );
}

const ABOUT_SECTIONS: readonly ArticleSection[] = [
  {
    id: "why",
    title: "Why we started Print Store",
    content: (
      <>
        <p>
          Printing at college usually means a queue, a pen drive that passes from hand to hand, and a file
          left behind on a stranger's desktop. Or it means sending an assignment by chat and hoping that
          somebody prints the right version.
        </p>
        <p>
          Print Store is a shop window for the print shops near colleges. You upload the file yourself, choose
          how it is printed, and see the price before you order.
        </p>
      </>
    ),
  },
  {
    id: "for-students",
    title: "For students",
    content: (
      <ul>
        <li>Each shop's own prices, side by side, with the same sample job worked out for every one.</li>
        <li>A price explained line by line, to the paisa.</li>
        <li>Delivery to your address, with email updates on the way.</li>
        <li>
          A reprint when something was printed wrongly: see{" "}
          <Link to="/refund-and-cancellation">Refund and Cancellation</Link>.
        </li>
      </ul>
    ),
  },
  {
    id: "for-print-shops",
    title: "For print shops",
    content: (
      <p>
        Shops keep their own list of papers, colours, bindings and prices. Orders arrive complete: counted
        pages, chosen options, an address, and files that open. Do you run a print shop near a college?{" "}
        <Link to="/contact-us">Write to us.</Link>
      </p>
    ),
  },
  {
    id: "what-we-hold-to",
    title: "What we promise",
    content: (
      <ul>
        <li>One paper for everyone: A4 of 70 GSM.</li>
        <li>Your documents stay yours. They are deleted once printed.</li>
        <li>The price you see is the price you pay.</li>
      </ul>
    ),
  },
];
