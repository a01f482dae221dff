import { createFileRoute } from "@tanstack/react-router";
import { NewShopScreen } from "../../../features/shops/new-shop-screen.tsx";

export const Route = createFileRoute("/_staff/_admin/shops/new")({ component: NewShopScreen });
