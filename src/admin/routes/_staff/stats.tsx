import { createFileRoute } from "@tanstack/react-router";
import { StatsScreen } from "../../features/stats/stats-screen.tsx";
import { readStatsSearch } from "../../lib/screen-searches.ts";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/stats")({
  beforeLoad: screenOf("stats.read"),
  validateSearch: readStatsSearch,
  component: StatsScreen,
});
