import { createFileRoute } from "@tanstack/react-router";
import { ContactPage } from "../features/contact/contact-page.tsx";
import { contactHead } from "./contact-us.tsx";

export const Route = createFileRoute("/test")({
  head: contactHead,
  component: ContactPage,
});
