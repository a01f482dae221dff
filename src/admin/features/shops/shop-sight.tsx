import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useNavigate } from "@tanstack/react-router";
import { holdPlace } from "#client/ui/hold-place.ts";
import type { ManagedShop } from "./managed-shop.ts";
import { useShopChanges } from "./use-shop-changes.ts";

/** Whether students see the shop at all, and the end of one that nobody ever ordered at. */
export function ShopSight({ shop }: { shop: ManagedShop }) {
  const { _id: shopId, shopName, hidden, hasOrders, gaps } = shop;
  const { hide, show, remove } = useShopChanges(shop);
  const navigate = useNavigate();

  const askToDelete = () =>
    modals.openConfirmModal({
      title: `Delete ${shopName}?`,
      children: "The shop and its price list are gone for good.",
      labels: { confirm: "Delete the shop", cancel: "Cancel" },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ shopId }, { onSuccess: () => navigate({ to: "/shops" }) }),
    });

  return (
    <Stack component="section" gap="xs" mt="xl">
      <Title order={2} size="h5">
        In the storefront
      </Title>
      <Text c="dimmed">{sightText(shop)}</Text>
      <Group gap="xs">
        {hidden ? (
          <Button
            variant="default"
            loading={show.isPending}
            disabled={gaps.length > 0}
            onClick={(event) => {
              holdPlace(event);
              show.mutate({ shopId, hidden: false });
            }}
          >
            Show to students
          </Button>
        ) : (
          <Button
            variant="default"
            loading={hide.isPending}
            onClick={(event) => {
              holdPlace(event);
              hide.mutate({ shopId, hidden: true });
            }}
          >
            Hide from students
          </Button>
        )}
        <Button
          variant="default"
          c="var(--bad)"
          loading={remove.isPending}
          disabled={hasOrders}
          onClick={askToDelete}
        >
          Delete
        </Button>
      </Group>
      {hasOrders && <Text c="dimmed">It has orders, so it can be hidden but never deleted.</Text>}
    </Stack>
  );
}

function sightText({ hidden, gaps }: ManagedShop): string {
  if (!hidden) return "Students see this shop.";
  return gaps.length > 0
    ? "Students do not see this shop. It can be shown once each of its six lists has a price."
    : "Students do not see this shop.";
}
