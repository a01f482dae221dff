import { createFileRoute, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pageHead } from "../lib/page-head.ts";
import { PageTitle } from "../ui/page-title.tsx";
import classes from "./faq.module.css";

export const Route = createFileRoute("/faq")({
  head: () =>
    pageHead({
      title: "FAQs",
      description: "Answers about files, paper, prices, delivery, reprints and accounts at Print Store.",
    }),
  component: FaqPage,
});

function FaqPage() {
  return (
    <>
      <PageTitle lead="What students ask before their first order.">FAQs</PageTitle>
      <FaqList />
    </>
  );
}

function FaqList() {
  return FAQ_GROUPS.map(({ title, entries }) => (
    <section key={title} className={classes.group}>
      <h2 className={classes.title}>{title}</h2>
      <div>
        {entries.map(({ question, answer }) => (
          <details key={question} className={classes.entry}>
            <summary className={classes.question}>{question}</summary>
            <p className={classes.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  ));
}

interface FaqGroup {
  title: string;
  entries: readonly { question: string; answer: ReactNode }[];
}

const FAQ_GROUPS: readonly FaqGroup[] = [
  {
    title: "Files",
    entries: [
      {
        question: "Which files can I upload?",
        answer:
          "PDF, JPG, PNG and JPEG. WebP and HEIC photos work too, and Word, PowerPoint, Excel and text files where the upload page says so. PDFs are printed as they are; photos are set on A4 pages first. Save Word and PowerPoint files as PDF to be sure that they look on paper as they do on your screen.",
      },
      {
        question: "My PDF was refused. What can I do?",
        answer:
          "If it asks for a password, enter that beside the file. A damaged PDF often opens again after you print it to a new PDF from your viewer. The page tells you which of the two it is.",
      },
      {
        question: "What happens to my files?",
        answer:
          "Only you, the shop you ordered from and the store's admins can open them. They are deleted once printed: a short time after, usually 30 minutes, in which the shop can fix a paper jam, or as soon as the prints leave the shop; if the shop has a question about a printed order, after seven days at most. Uploads that you never order are deleted after 24 hours.",
      },
      {
        question: "Can I print only some pages?",
        answer: "Yes. Under each file, enter the pages that you want, for example 3-12.",
      },
    ],
  },
  {
    title: "Paper and price",
    entries: [
      { question: "Which paper is used?", answer: "Only A4 paper of 70 GSM." },
      {
        question: "How is the price calculated?",
        answer:
          "Pages × copies × the prices of your options at that shop, rounded up to whole rupees. Shops may charge an option by the sheet, by the copy or once instead. Tax and delivery are added. You see every part of it while you choose, and you pay exactly that total.",
      },
      {
        question: "How can I compare shops?",
        answer: (
          <>
            Each card under <Link to="/shops">Shops</Link> shows what the same sample job costs there: 20
            pages, black and white, both sides. You can sort by it.
          </>
        ),
      },
      {
        question: "Where do shop ratings come from?",
        answer:
          "From students: once an order is delivered, you can give it one to five stars, and the shop shows the average. Until there are five ratings, Print Store sets the rating.",
      },
      {
        question: "Where do I see the “10% OFF up to ₹100”?",
        answer:
          "The badge on the shop cards is only an announcement. No discount is taken off your order; you always pay the total that you see.",
      },
      {
        question: "How do I pay?",
        answer:
          "You pay the shop, on delivery or when you pick the order up; no payment is taken on this site. Where a shop takes UPI, the page of your order and its email show a QR code and a link with the exact amount. We cannot see UPI payments: the shop checks for yours and marks the order as paid.",
      },
      {
        question: "Can I pick my order up?",
        answer:
          "At shops that offer it, choose Pickup at the checkout. It needs no address and has no delivery fee. When your prints are ready, you get a four-digit code to show at the shop.",
      },
    ],
  },
  {
    title: "Orders",
    entries: [
      {
        question: "How do I know that the shop has my order?",
        answer:
          "You see “Congratulations!!!” and get an email with the order number, the options, the price and the address. The shop gets the order at the same moment.",
      },
      {
        question: "Can I cancel an order?",
        answer: (
          <>
            Only while the shop has it on hold and has not printed it. Otherwise orders cannot be cancelled or
            refunded, because they are printed for you alone. See{" "}
            <Link to="/refund-and-cancellation">Refund and Cancellation</Link>.
          </>
        ),
      },
      {
        question: "Something was printed wrong. What can I do?",
        answer: (
          <>
            Open the order under <Link to="/orders">Orders</Link> and report it within 3 days of its delivery.
            Once the shop accepts, it is printed again free of charge. Please keep your file: our copy is
            deleted once printed.
          </>
        ),
      },
    ],
  },
  {
    title: "Account",
    entries: [
      {
        question: "The code does not arrive.",
        answer:
          "Codes come by email. Check your spam folder and that the address is right. A code is valid for 10 minutes; a new code replaces the old one.",
      },
      {
        question: "I forgot my password.",
        answer: (
          <>
            Ask for a link under <Link to="/forgotpassword">Forgot password</Link>. It works once, for 30
            minutes. Or log in with a code instead of a password.
          </>
        ),
      },
    ],
  },
];
