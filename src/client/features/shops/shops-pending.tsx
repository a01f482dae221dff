import { PageTitle } from "../../ui/page-title.tsx";
import classes from "./shops-pending.module.css";

/** The page before its shops, which is in the scripts of the first load. */
export function ShopsPending() {
  return (
    <>
      <ShopsTitle />
      <ShopsSkeleton />
    </>
  );
}

export function ShopsTitle() {
  return (
    <PageTitle lead="Compare prices, pick a shop, and upload your file there.">
      Print shops near your college
    </PageTitle>
  );
}

const PLACES = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** Placeholders while the shops are loading. */
export function ShopsSkeleton() {
  return (
    <div role="status" aria-label="Loading the shops" className={classes.grid}>
      {PLACES.map((place) => (
        <div key={place} className={classes.tile} />
      ))}
    </div>
  );
}
