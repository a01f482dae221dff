import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { ShopControls } from "./shop-controls.tsx";
import classes from "./shop-finder.module.css";
import type { ShopQuery } from "./shop-query.ts";
import { ShopTile } from "./shop-tile.tsx";
import { ShopsUnreachable } from "./shops-unreachable.tsx";
import { ShopsWaiting } from "./shops-waiting.tsx";
import { useFoundShops } from "./use-found-shops.ts";
import { useOpenShop } from "./use-open-shop.ts";

/** About as many pictures as a wide first screen shows. */
const EARLY_PICTURES = 3;

interface ShopFinderProps {
  /** What the address asks for. */
  initial: ShopQuery;
}

/** All shops, narrowed and put in order. The address follows, so that a search can be shared and gone back to. */
export function ShopFinder({ initial }: ShopFinderProps) {
  const navigate = useNavigate({ from: "/shops" });
  const { checking, openShop } = useOpenShop();
  const [query, setQuery] = useState(initial);
  const { found, isError, retry } = useFoundShops(query);

  function change(next: ShopQuery) {
    setQuery(next);
    navigate({ search: next, replace: true, resetScroll: false });
  }

  if (!found) return isError ? <ShopsUnreachable onRetry={retry} /> : <ShopsWaiting />;
  return (
    <>
      <ShopControls query={query} onChange={change} />
      <p role="status" className={classes.count}>
        {found.total === 1 ? "1 shop" : `${found.total} shops`}
      </p>
      {found.total > 0 ? (
        <ul className={classes.grid}>
          {found.shops.map((shop, index) => (
            <li key={shop._id}>
              <ShopTile shop={shop} early={index < EARLY_PICTURES} onOpen={openShop} />
            </li>
          ))}
        </ul>
      ) : (
        <NothingFound search={query.q ?? ""} onClear={() => change({ ...query, q: undefined })} />
      )}
      {found.showMore && (
        <Button
          variant="default"
          className={classes.more}
          loading={found.isFetchingMore}
          onClick={found.showMore}
        >
          Show more shops
        </Button>
      )}
      <WaitOverlay active={checking} />
    </>
  );
}

function NothingFound({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <div className={classes.nothing}>
      <h2>No shop matches “{search}”</h2>
      <p>Try the name of the town, or a shorter form of the college's name.</p>
      <Button variant="default" onClick={onClear}>
        Show all shops
      </Button>
    </div>
  );
}
