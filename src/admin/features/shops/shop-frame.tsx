import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link, Outlet } from "@tanstack/react-router";
import { trpc } from "#ui/trpc.ts";
import { Loader, LoadFailure } from "../../ui/screen.tsx";
import classes from "./shop-frame.module.css";
import { CloseEarlyButton } from "./shop-schedule.tsx";
import { OpeningButton, ShopState } from "./shop-state.tsx";

/** The header of every screen of one shop. */
export function ShopFrame({ shopId }: { shopId: string }) {
  const { data: shop, error } = trpc.shops.admin.byId.useQuery({ shopId });
  useDocumentTitle(`${shop?.shopName ?? "Shop"} · Print Store staff`);
  if (!shop) return error ? <LoadFailure error={error} /> : <Loader />;
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <div className={classes.name}>
          <Title order={1} size="h3">
            {shop.shopName}
          </Title>
          <Text c="dimmed">{shop.shopLocation}</Text>
        </div>
        <Group gap="sm">
          <ShopState shop={shop} />
          <CloseEarlyButton shop={shop} />
          <OpeningButton shop={shop} />
        </Group>
      </Group>
      <nav aria-label={shop.shopName} className={classes.tabs}>
        <Link to="/shops/$shopId" params={{ shopId }} activeOptions={{ exact: true, includeSearch: false }}>
          Details
        </Link>
        <Link to="/shops/$shopId/prices" params={{ shopId }}>
          Prices
        </Link>
      </nav>
      <Outlet />
    </>
  );
}
