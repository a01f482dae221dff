import classes from "./shops-skeleton.module.css";

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
