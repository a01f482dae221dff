import { createFileRoute } from "@tanstack/react-router";
import { readStatsSearch } from "../../features/stats/stats-period.ts";
import { StatsScreen } from "../../features/stats/stats-screen.tsx";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/stats")({
  beforeLoad: screenOf("stats.read"),
  validateSearch: readStatsSearch,
  component: StatsScreen,
});
