import { createFileRoute } from "@tanstack/react-router";
import { CONTACT_HEAD } from "#client/features/contact/contact-head.ts";
import { ContactPage } from "#client/features/contact/contact-page.tsx";
import { pageHead } from "#client/lib/page-head.ts";

export const Route = createFileRoute("/test")({
  head: () => pageHead(CONTACT_HEAD),
  component: ContactPage,
});
