import { createFileRoute } from "@tanstack/react-router";
import { CounterScreen } from "../../features/counter/counter-screen.tsx";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/counter")({
  beforeLoad: screenOf("counter.today"),
  component: CounterScreen,
});
