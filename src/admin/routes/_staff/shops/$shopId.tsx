import { createFileRoute, redirect } from "@tanstack/react-router";
import { ShopFrame } from "../../../features/shops/shop-frame.tsx";
import { screenOf } from "../../../lib/session.ts";

/** One shop. Choosing another in the header opens the same screen of that shop. */
export const Route = createFileRoute("/_staff/shops/$shopId")({
  beforeLoad: ({ context, search, params, location }) => {
    screenOf("shops.admin.byId")({ context });
    if (search.shop === undefined || search.shop === params.shopId) return;
    throw redirect({ href: location.href.replace(`/shops/${params.shopId}`, `/shops/${search.shop}`) });
  },
  loader: ({ context, params }) => context.utils.shops.admin.byId.prefetch(params),
  component: ShopPage,
});

function ShopPage() {
  const { shopId } = Route.useParams();
  return <ShopFrame key={shopId} shopId={shopId} />;
}
