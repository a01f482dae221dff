import type { ReactNode } from "react";
import { closingText } from "#shared/closed-days.ts";
import { formatPaise, toPaise } from "#shared/money.ts";
import { photoSources } from "#shared/photos.ts";
import { shortNameOf } from "#shared/place-names.ts";
import type { ShopCard as ShopCardData } from "#shared/schemas/shops.ts";
import TbClock from "~icons/tabler/clock";
import TbMapPin from "~icons/tabler/map-pin";
import TbSchool from "~icons/tabler/school";
import TbStarFilled from "~icons/tabler/star-filled";
import classes from "./shop-card.module.css";

/** When a card's picture loads: with the page, when it is near the screen, or not yet. */
export type PictureLoading = "early" | "lazy" | "none";

interface ShopCardProps {
  shop: ShopCardData;
  /** The shop's name; a link in it covers the card. */
  title: ReactNode;
  picture?: PictureLoading;
  /** The present moment; without it the card does not say on which days the shop is closed. */
  now?: Date | undefined;
}

/** A shop's card for students. */
export function ShopCard({ shop, title, picture = "lazy", now }: ShopCardProps) {
  const closing = shop.isOpen && now ? closingText(shop, now) : null;
  const shortName = shortNameOf(shop.college);
  return (
    <article className={classes.tile} data-closed={!shop.isOpen || undefined}>
      <div className={classes.picture}>
        {shop.shopImage && picture !== "none" && (
          <img
            src={shop.shopImage}
            srcSet={photoSources(shop.shopImage)}
            sizes="(min-width: 48em) 24rem, 100vw"
            alt=""
            width={400}
            height={225}
            loading={picture === "early" ? "eager" : "lazy"}
          />
        )}
        {!shop.isOpen && <p className={classes.closed}>{closedText(shop)}</p>}
        {closing && <p className={classes.closing}>{closing}</p>}
        <span className={classes.badge}>10% OFF up to ₹100</span>
      </div>
      <div className={classes.facts}>
        <h2 className={classes.name}>{title}</h2>
        <Rating value={shop.ratings} />
        <p className={classes.place}>
          <TbMapPin size={18} />
          {shop.shopLocation}
        </p>
        {shop.college && (
          <p className={classes.place}>
            <TbSchool size={18} />
            {shortName ? `${shop.college} (${shortName})` : shop.college}
          </p>
        )}
        {shop.openingHours && (
          <p className={classes.place}>
            <TbClock size={18} />
            {shop.openingHours}
          </p>
        )}
      </div>
      <div className={classes.prices}>
        <p className={classes.cost}>
          <strong>{formatPaise(toPaise(shop.perPageCost))}</strong> per page
          <small className={classes.terms}>before tax and delivery</small>
        </p>
        {shop.samplePaise !== null && (
          <p className={classes.sample}>
            20 pages, black and white, both sides: <strong>{formatPaise(shop.samplePaise)}</strong>
            <small className={classes.terms}>with tax and delivery</small>
          </p>
        )}
      </div>
    </article>
  );
}

function closedText({ closedNote }: ShopCardData): string {
  return closedNote ? `Closed now: ${closedNote}` : "Closed now";
}

function Rating({ value }: { value: number }) {
  return (
    <p className={classes.rating}>
      <TbStarFilled size={16} />
      <span aria-hidden="true">{value.toFixed(1)}</span>
      <span className={classes.spoken}>Rated {value.toFixed(1)} out of 5</span>
    </p>
  );
}
