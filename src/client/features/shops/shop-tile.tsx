import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import type { ShopCard as ShopCardData } from "#shared/schemas/shops.ts";
import { ShopCard } from "../../ui/shop-card.tsx";

interface ShopTileProps {
  shop: ShopCardData;
  /** Whether the picture is likely to be on the first screen. */
  early: boolean;
  onOpen: (id: string) => void;
}

/** A shop's card that leads to its page. */
export function ShopTile({ shop, early, onOpen }: ShopTileProps) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(shop._id);
  }

  return (
    <ShopCard
      shop={shop}
      early={early}
      title={
        <Link to="/printnow" search={{ id: shop._id }} preload={false} onClick={open}>
          {shop.shopName}
        </Link>
      }
    />
  );
}
