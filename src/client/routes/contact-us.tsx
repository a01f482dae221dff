import { createFileRoute } from "@tanstack/react-router";
import { ContactPage } from "../features/contact/contact-page.tsx";
import { pageHead } from "../lib/page-head.ts";

/** Also that of /test, which shows the same page. */
export const contactHead = () =>
  pageHead({
    title: "Contact us",
    description:
      "Write to Print Store: questions about an order, a reprint, your account, or your own print shop.",
  });

export const Route = createFileRoute("/contact-us")({
  head: contactHead,
  component: ContactPage,
});
