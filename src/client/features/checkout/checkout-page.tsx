import { useEffect } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { followOtherTabs, useOrder } from "../print/order-store.ts";
import { Checkout } from "./checkout.tsx";

/** The last step of an order, for what Continue left in the browser. */
export function CheckoutPage({ user }: { user: CurrentUser }) {
  const { address, orderData } = useOrder(user.email);
  useEffect(followOtherTabs, []);
  if (orderData) return <Checkout user={user} orderData={orderData} address={address} />;
  return (
    <Notice title="No Item has added!!" text="Choose a shop, upload your files and come back here to order.">
      <LinkButton to="/shops">Find a print shop</LinkButton>
    </Notice>
  );
}
