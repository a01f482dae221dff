import { Button, Rating } from "@mantine/core";
import { useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { starsText } from "#shared/ratings.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import classes from "./order-page.module.css";

/** One to five stars for a delivered order. */
export function RatingForm({ order: { id, stars: given } }: { order: OwnOrderDetail }) {
  const utils = trpc.useUtils();
  const [chosen, setChosen] = useState(given ?? 0);
  const rating = trpc.ratings.rate.useMutation({
    onSuccess: () => Promise.all([utils.orders.one.invalidate({ orderId: id }), utils.shops.invalidate()]),
  });
  const isNew = chosen > 0 && chosen !== given;
  return (
    <form
      className={classes.ratingForm}
      // Mantine takes the star that an arrow key chooses for one that the pointer is over.
      onChange={({ target }) => {
        if (target instanceof HTMLInputElement) setChosen(Number(target.value));
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isNew) rating.mutate({ orderId: id, stars: chosen });
      }}
    >
      <Rating
        role="radiogroup"
        aria-label="Stars"
        size="xl"
        color="marigold"
        value={chosen}
        onChange={setChosen}
        getSymbolLabel={symbolLabel}
      />
      <Button type="submit" variant="default" disabled={!isNew} loading={rating.isPending}>
        {given === null ? "Save rating" : "Update rating"}
      </Button>
      <FormStatus message={rating.isSuccess && !isNew && "Thank you for your rating."} />
      {rating.error && <FormAlert message={messageOf(rating.error)} />}
    </form>
  );
}

function symbolLabel(stars: number): string {
  return stars === 0 ? "No stars" : starsText(stars);
}
