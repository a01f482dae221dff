import { createFileRoute } from "@tanstack/react-router";
import { ClosingScreen } from "../../features/book/closing-screen.tsx";
import { screenOf } from "../../lib/session.ts";
import { isDay } from "../../lib/times.ts";

export const Route = createFileRoute("/_staff/closing")({
  beforeLoad: screenOf("book.day"),
  // Without a day: today.
  validateSearch: ({ day }: Record<string, unknown>): { day?: string } => ({
    day: isDay(day) ? day : undefined,
  }),
  component: ClosingScreen,
});
