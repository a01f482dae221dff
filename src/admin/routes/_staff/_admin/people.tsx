import { createFileRoute } from "@tanstack/react-router";
import { PeopleScreen } from "../../../features/people/people-screen.tsx";

export const Route = createFileRoute("/_staff/_admin/people")({ component: PeopleScreen });
