import { createFileRoute } from "@tanstack/react-router";
import { CONTACT_HEAD } from "../features/contact/contact-head.ts";
import { ContactPage } from "../features/contact/contact-page.tsx";
import { pageHead } from "../lib/page-head.ts";

export const Route = createFileRoute("/contact-us")({
  head: () => pageHead(CONTACT_HEAD),
  component: ContactPage,
});
