import { createFileRoute } from "@tanstack/react-router";
import { SeedingScreen } from "../../../features/seeding/seeding-screen.tsx";

export const Route = createFileRoute("/_staff/_admin/seeding")({ component: SeedingScreen });
