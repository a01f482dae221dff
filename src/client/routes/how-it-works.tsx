import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { Article, type ArticleSection } from "../ui/article.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/how-it-works")({
  head: () =>
    pageHead({
      title: "How it works",
      description:
        "From a PDF on your phone to pages at your door in four steps: visit, upload, customise, checkout.",
    }),
  component: HowItWorksPage,
});

function HowItWorksPage() {
  return (
    <>
      <PageTitle lead="From a PDF on your phone to pages at your door.">How it works</PageTitle>
      <Article sections={HOW_IT_WORKS_SECTIONS} />
    </>
  );
}

const HOW_IT_WORKS_SECTIONS: readonly ArticleSection[] = [
  {
    id: "visit",
    title: "1. Visit the store",
    content: (
      <p>
        Look for your college or your town under <Link to="/shops">Shops</Link>. Each card shows the rating,
        the cost per page and the price of one sample job, so that shops can be compared. Opening a shop asks
        you to log in; a new account takes a minute and a code from your email.
      </p>
    ),
  },
  {
    id: "upload",
    title: "2. Upload files",
    content: (
      <p>
        Drop your PDFs on the page, or pick several at once. Photos are turned into A4 pages. The pages of
        every file are counted, and you can look at each page before you go on. While a file uploads you can
        already choose the options.
      </p>
    ),
  },
  {
    id: "customise",
    title: "3. Customise",
    content: (
      <p>
        Choose colour, sides, paper type, paper size, cover, binding and the number of copies, and leave the
        shop a message if you like. The price updates with each choice, part by part: subtotal, tax, delivery
        fee and total.
      </p>
    ),
  },
  {
    id: "checkout",
    title: "4. Checkout",
    content: (
      <p>
        Give the delivery address, or choose pickup where the shop offers it, read the summary once more, and
        place the order. You get a confirmation by email with an order number; the shop gets your order at the
        same moment.
      </p>
    ),
  },
  {
    id: "afterwards",
    title: "Afterwards",
    content: (
      <p>
        The shop prints your order and delivers it or keeps it for pickup; your files are deleted. If
        something was printed wrong, report it on the page of your order within 3 days and it is{" "}
        <Link to="/refund-and-cancellation">printed again</Link>.
      </p>
    ),
  },
];
