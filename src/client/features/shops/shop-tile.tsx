import { IconMapPin, IconSchool, IconStarFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { formatPaise, toPaise } from "#shared/money.ts";
import type { ShopCard } from "#shared/schemas/shops.ts";
import classes from "./shop-tile.module.css";

interface ShopTileProps {
  shop: ShopCard;
  /** Whether the picture is likely to be on the first screen. */
  early: boolean;
  onOpen: (id: string) => void;
}

export function ShopTile({ shop, early, onOpen }: ShopTileProps) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(shop._id);
  }

  return (
    <article className={classes.tile}>
      <div className={classes.picture}>
        <img src={shop.shopImage} alt="" width={400} height={225} loading={early ? "eager" : "lazy"} />
        <span className={classes.badge}>10% OFF up to ₹100</span>
      </div>
      <div className={classes.facts}>
        <h2 className={classes.name}>
          <Link
            to="/printnow"
            search={{ id: shop._id }}
            preload={false}
            onClick={open}
            className={classes.link}
          >
            {shop.shopName}
          </Link>
        </h2>
        <Rating value={shop.ratings} />
        <p className={classes.place}>
          <IconMapPin size={18} aria-hidden="true" />
          {shop.shopLocation}
        </p>
        {shop.college && (
          <p className={classes.place}>
            <IconSchool size={18} aria-hidden="true" />
            {shop.college}
          </p>
        )}
      </div>
      <div className={classes.prices}>
        <p className={classes.cost}>
          <strong>{formatPaise(toPaise(shop.perPageCost))}</strong> per page
        </p>
        {shop.samplePaise !== null && (
          <p className={classes.sample}>
            20 pages, black and white, both sides: <strong>{formatPaise(shop.samplePaise)}</strong>
          </p>
        )}
      </div>
    </article>
  );
}

function Rating({ value }: { value: number }) {
  return (
    <p className={classes.rating}>
      <IconStarFilled size={16} aria-hidden="true" />
      <span aria-hidden="true">{value.toFixed(1)}</span>
      <span className={classes.spoken}>Rated {value.toFixed(1)} out of 5</span>
    </p>
  );
}
