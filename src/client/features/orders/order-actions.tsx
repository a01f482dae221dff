import { Button } from "@mantine/core";
import { LinkButton } from "#client/ui/link-button.tsx";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import classes from "./order-actions.module.css";
import type { OrderDetail } from "./own-order.ts";
import { useOrderAgain } from "./use-order-again.ts";

/** What a student can do with an order of theirs. */
export function OrderActions({ order, user }: { order: OrderDetail; user: CurrentUser }) {
  const { orderAgain, isPreparing, problem } = useOrderAgain(order, user);
  return (
    <div className={classes.actions}>
      <Button loading={isPreparing} onClick={() => void orderAgain()}>
        Order again
      </Button>
      <Button component="a" variant="default" href={`/orders/${order.id}/receipt.pdf`}>
        Receipt (PDF)
      </Button>
      {problem && (
        <div role="alert" className={classes.problem}>
          <p>{problem}</p>
          <LinkButton to="/shops" variant="default" size="compact-md">
            Find another shop
          </LinkButton>
        </div>
      )}
    </div>
  );
}
