import { createFileRoute } from "@tanstack/react-router";
import { ClosingScreen } from "../../features/book/closing-screen.tsx";
import { isDay } from "../../lib/days.ts";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/closing")({
  beforeLoad: screenOf("book.day"),
  validateSearch: ({ day }: Record<string, unknown>): { day?: string } => ({
    day: isDay(day) ? day : undefined,
  }),
  component: ClosingPage,
});

function ClosingPage() {
  const { day } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ClosingScreen
      day={day}
      onDay={(next) => navigate({ search: (search) => ({ ...search, day: next }), replace: true })}
    />
  );
}
