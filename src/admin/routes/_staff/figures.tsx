import { createFileRoute } from "@tanstack/react-router";
import { readFiguresSearch } from "../../features/figures/figures-period.ts";
import { FiguresScreen } from "../../features/figures/figures-screen.tsx";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/figures")({
  beforeLoad: screenOf("figures.read"),
  validateSearch: readFiguresSearch,
  component: FiguresPage,
});

function FiguresPage() {
  const shown = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <FiguresScreen
      shown={shown}
      onShow={(changes) =>
        navigate({ search: (search) => ({ ...search, ...changes }), replace: true, resetScroll: false })
      }
    />
  );
}
