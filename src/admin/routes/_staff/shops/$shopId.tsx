import { createFileRoute } from "@tanstack/react-router";
import { ShopFrame } from "../../../features/shops/shop-frame.tsx";

export const Route = createFileRoute("/_staff/shops/$shopId")({
  loader: ({ context, params }) => context.utils.shops.admin.byId.prefetch(params),
  component: ShopPage,
});

function ShopPage() {
  const { shopId } = Route.useParams();
  return <ShopFrame key={shopId} shopId={shopId} />;
}
