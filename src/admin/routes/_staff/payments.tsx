import { createFileRoute } from "@tanstack/react-router";
import { BookScreen } from "../../features/book/book-screen.tsx";
import { readBookSearch } from "../../lib/screen-searches.ts";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/payments")({
  beforeLoad: screenOf("book.orders"),
  validateSearch: readBookSearch,
  component: BookScreen,
});
