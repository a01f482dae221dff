import type { Fulfilment } from "#shared/fulfilment.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import type { OrderDataRequest } from "../print/order-data.ts";
import { AddressCard } from "./address-card.tsx";
import { FulfilmentCard } from "./fulfilment-card.tsx";
import { priceOrder } from "./order-price.ts";
import { PickupCard } from "./pickup-card.tsx";

interface DestinationProps {
  /** Undefined while it is not known. */
  shop: Shop | undefined;
  orderData: OrderDataRequest;
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  onChoose: (fulfilment: Fulfilment) => void;
}

/** Where the order goes: to an address, or nowhere where the shop hands it over and the student wants that. */
export function Destination({ shop, orderData, fulfilment, address, onChoose }: DestinationProps) {
  // Until the shop is known, nothing is asked of a student who chose to fetch the order.
  if (!shop && fulfilment === "pickup") return null;
  if (!shop?.offersPickup) return <AddressCard address={address} />;
  const delivered = priceOrder(shop, orderData, "delivery");
  return (
    <>
      <FulfilmentCard
        shop={shop}
        value={fulfilment}
        deliveryFeePaise={delivered?.deliveryFeePaise ?? null}
        onChange={onChoose}
      />
      {fulfilment === "pickup" ? <PickupCard shop={shop} /> : <AddressCard address={address} />}
    </>
  );
}
