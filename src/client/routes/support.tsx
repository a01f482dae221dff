import { createFileRoute, Link } from "@tanstack/react-router";
import { pageHead } from "../lib/page-head.ts";
import { PageTitle } from "../ui/page-title.tsx";
import classes from "./support.module.css";

export const Route = createFileRoute("/support")({
  head: () =>
    pageHead({
      title: "Support",
      description: "Help with uploads, logins, orders and reprints at Print Store.",
    }),
  component: SupportPage,
});

function SupportPage() {
  return (
    <>
      <PageTitle lead="Common problems and how to solve them.">Support</PageTitle>
      <SupportTopics />
    </>
  );
}

function SupportTopics() {
  return (
    <ul className={classes.topics}>
      {TOPICS.map(({ title, text, to, link }) => (
        <li key={title} className={classes.topic}>
          <h2 className={classes.title}>{title}</h2>
          <p>{text}</p>
          <Link to={to}>{link}</Link>
        </li>
      ))}
    </ul>
  );
}

const TOPICS = [
  {
    title: "Something was printed wrong",
    text: "Report it within 3 days on the page of your order. It is printed again free of charge.",
    to: "/refund-and-cancellation",
    link: "How a reprint works",
  },
  {
    title: "My file will not upload",
    text: "Usually the file has a password or is damaged. Both are quick to fix.",
    to: "/faq",
    link: "Answers about files",
  },
  {
    title: "I cannot log in",
    text: "Ask for a new password by email, or log in with a one-time code instead.",
    to: "/forgotpassword",
    link: "Get a password link",
  },
  {
    title: "Anything else",
    text: "Write to us from your account's email address, and give the order number if there is one.",
    to: "/contact-us",
    link: "Write to us",
  },
] as const;
