import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { Article, type ArticleSection } from "../ui/article.tsx";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/terms-and-conditions")({
  head: () =>
    pageHead({
      title: "Terms and Conditions",
      description:
        "What students, print shops and Print Store can rely on: accounts, files, prices, delivery and reprints.",
    }),
  component: TermsPage,
});

function TermsPage() {
  return (
    <>
      <PageTitle lead="What you and we can rely on when you order here.">Terms and Conditions</PageTitle>
      <Article sections={TERMS_SECTIONS} />
    </>
  );
}

const TERMS_SECTIONS: readonly ArticleSection[] = [
  {
    id: "who-does-what",
    title: "Who does what",
    content: (
      <>
        <p>
          Print Store is a marketplace: it shows print shops near colleges, takes your files and your choices,
          works out the price from the shop's own price list, and hands the order to that shop. The shop you
          choose prints and delivers it.
        </p>
        <p>By placing an order you agree to these terms and to the price shown to you at that moment.</p>
      </>
    ),
  },
  {
    id: "your-account",
    title: "Your account",
    content: (
      <ul>
        <li>
          Except at a shop's counter, you need an account with an email address and a ten-digit mobile number
          that are yours.
        </li>
        <li>A code sent by email proves the account. Keep codes and your password to yourself.</li>
        <li>You are responsible for orders from your account.</li>
      </ul>
    ),
  },
  {
    id: "your-files",
    title: "Your files",
    content: (
      <>
        <p>
          Upload only what you may have printed: your own work, or work that its owner or the law allows you
          to copy. Shops may refuse files that are unlawful to print.
        </p>
        <p>
          We print your file as it is. Please look at the preview and the page count before you order; a file
          that is wrong in itself is not a printing error.
        </p>
      </>
    ),
  },
  {
    id: "paper-and-price",
    title: "Paper and price",
    content: (
      <>
        <p>Only A4 paper of 70 GSM is used.</p>
        <ul>
          <li>
            The subtotal follows from the pages, the copies and the shop's prices for colour, sides, paper
            type, paper size, cover and binding. It is rounded up to whole rupees.
          </li>
          <li>Tax and the delivery fee are added and shown before you order.</li>
          <li>
            If a shop changes its prices while you order, you are shown the new total and asked again. You are
            never charged a total that you did not see.
          </li>
          <li>
            Badges such as “10% OFF up to ₹100” are only announcements and do not change the order total.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: "payment",
    title: "Payment",
    content: (
      <p>
        You pay the shop itself: on delivery, when you pick the order up, or by UPI where the shop takes it.
        No payment passes through Print Store, and only the shop can tell whether one arrived.
      </p>
    ),
  },
  {
    id: "delivery",
    title: "Delivery and pickup",
    content: (
      <>
        <p>
          The shop delivers to the address you give with the order. Please check that it is complete:
          district, road number, flat number and the name of whoever receives it.
        </p>
        <p>
          A shop hands a pickup order to anyone who has its pickup code. Please keep the code to yourself.
        </p>
      </>
    ),
  },
  {
    id: "cancellation",
    title: "Cancellation, refunds, reprints",
    content: (
      <p>
        Orders cannot be cancelled or refunded, unless the shop puts them on hold or cannot print them.
        Printing errors reported within 3 days are reprinted free of charge. The full rules are in{" "}
        <Link to="/refund-and-cancellation">Refund and Cancellation</Link>.
      </p>
    ),
  },
  {
    id: "our-part",
    title: "Our responsibility",
    content: (
      <p>
        If your order is printed wrong, we make sure that it is printed again. Please order early enough to
        leave time for a reprint before a deadline that matters.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes and law",
    content: (
      <p>
        The terms at the time of an order apply to that order. The law of India applies. If something in these
        terms does not hold, the rest still does.
      </p>
    ),
  },
];
