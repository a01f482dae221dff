import { createFileRoute } from "@tanstack/react-router";
import { PricesScreen } from "../../../../features/prices/price-editor.tsx";

export const Route = createFileRoute("/_staff/shops/$shopId/prices")({ component: PricesPage });

function PricesPage() {
  const { shopId } = Route.useParams();
  return <PricesScreen key={shopId} shopId={shopId} />;
}
