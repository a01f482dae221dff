import { Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { formatPaise, toPaise } from "#shared/money.ts";
import { photoSources } from "#shared/shop-photos.ts";
import type { ManagedShop } from "./managed-shop.ts";
import { OpeningButton } from "./opening-button.tsx";
import classes from "./shop-row.module.css";
import { ShopState } from "./shop-state.tsx";

export function ShopRow({ shop }: { shop: ManagedShop }) {
  const { _id: shopId, shopName, shopLocation, shopImage, perPageCost, samplePaise } = shop;
  return (
    <li className={classes.row}>
      {shopImage ? (
        <img
          src={shopImage}
          srcSet={photoSources(shopImage)}
          sizes="4rem"
          alt=""
          width={64}
          height={48}
          loading="lazy"
          className={classes.picture}
        />
      ) : (
        <div className={classes.picture} />
      )}
      <div className={classes.name}>
        <Link to="/shops/$shopId" params={{ shopId }} className={classes.link}>
          {shopName}
        </Link>
        <Text c="dimmed" component="p">
          {shopLocation}
        </Text>
      </div>
      <ShopState shop={shop} />
      <Text component="p" className={classes.prices}>
        {formatPaise(toPaise(perPageCost))} a page
        {samplePaise !== null && (
          <Text component="span" c="dimmed" display="block">
            {formatPaise(samplePaise)} sample job
          </Text>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <OpeningButton shop={shop} size="xs" />
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/shops/$shopId/prices" params={{ shopId }} {...props} />}
          aria-label={`Prices of ${shopName}`}
        >
          Prices
        </Button>
      </Group>
    </li>
  );
}
