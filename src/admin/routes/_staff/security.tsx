import { createFileRoute } from "@tanstack/react-router";
import { SecurityScreen } from "../../features/account/security-screen.tsx";

export const Route = createFileRoute("/_staff/security")({ component: SecurityScreen });
