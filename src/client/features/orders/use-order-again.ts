import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import type { OrderDetail } from "./own-order.ts";

interface OrderAgain {
  orderAgain: () => Promise<void>;
  isPreparing: boolean;
  /** Why it cannot be repeated. */
  problem: string | null;
}

/** Creates a draft from an order and opens its shop. */
export function useOrderAgain(order: OrderDetail, user: CurrentUser): OrderAgain {
  const { shops } = trpc.useUtils();
  const navigate = useNavigate();
  const [isPreparing, setPreparing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function orderAgain(): Promise<void> {
    setPreparing(true);
    setProblem(null);
    try {
      const shop = await shops.byId.fetch({ id: order.shop.id }, { staleTime: 0, retry: false });
      // Loaded on demand: only looking at an order does not need it.
      const { fillDraftAgain } = await import("../print/order-again.ts");
      fillDraftAgain(user._id, shop, order);
      await navigate({ to: "/printnow", search: { id: shop._id } });
    } catch (error) {
      setProblem(
        codeOf(error) === "NOT_FOUND" ? `${order.shop.name} is no longer at Print Store.` : messageOf(error),
      );
    } finally {
      setPreparing(false);
    }
  }

  return { orderAgain, isPreparing, problem };
}
