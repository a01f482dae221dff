import { createFileRoute } from "@tanstack/react-router";
import { ShopsScreen } from "../../../features/shops/shops-screen.tsx";

export const Route = createFileRoute("/_staff/shops/")({ component: ShopsScreen });
