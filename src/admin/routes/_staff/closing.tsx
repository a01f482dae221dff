import { createFileRoute } from "@tanstack/react-router";
import { ClosingScreen } from "../../features/book/closing-screen.tsx";
import { readClosingSearch } from "../../lib/screen-searches.ts";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/closing")({
  beforeLoad: screenOf("book.day"),
  validateSearch: readClosingSearch,
  component: ClosingScreen,
});
