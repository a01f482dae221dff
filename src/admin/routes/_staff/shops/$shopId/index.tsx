import { createFileRoute } from "@tanstack/react-router";
import { trpc } from "#ui/trpc.ts";
import { EditShop } from "../../../../features/shops/edit-shop.tsx";

export const Route = createFileRoute("/_staff/shops/$shopId/")({ component: ShopDetailsPage });

function ShopDetailsPage() {
  const { data: shop } = trpc.shops.admin.byId.useQuery(Route.useParams());
  return shop && <EditShop shop={shop} />;
}
