import { createFileRoute } from "@tanstack/react-router";
import { PeopleScreen } from "../../features/people/people-screen.tsx";
import { screenOf } from "../../lib/session.ts";

export const Route = createFileRoute("/_staff/people")({
  beforeLoad: screenOf("staff.list"),
  component: PeopleScreen,
});
