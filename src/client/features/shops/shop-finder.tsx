import { MINUTE_MS } from "#shared/durations.ts";
import "@mantine/core/styles/Input.layer.css";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { Link, useHydrated, useNavigate, useRouter } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { ShopCard as ShopCardData, ShopPage } from "#shared/schemas/shops.ts";
import { findShops, type SearchableShop, sortShops, toSearchable } from "#shared/shop-search.ts";
import { isShopSort, SHOP_SORTS, type ShopSort } from "#shared/shop-sorts.ts";
import { type PictureLoading, ShopCard } from "#ui/shop-card.tsx";
import { trpc } from "#ui/trpc.ts";
import TbSearch from "~icons/tabler/search";
import { useStillHere } from "../../lib/connection.ts";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./shop-finder.module.css";
import { ShopsSkeleton } from "./shops-pending.tsx";

/** The URL's search words and sort order; by default all shops as listed. */
export interface ShopQuery {
  q?: string | undefined;
  sort?: ShopSort | undefined;
}

/** How many pictures come with the page. The others wait for the scripts, which share the line with them. */
const EARLY_PICTURES = 1;

interface ShopFinderProps {
  /** The query of the URL. */
  initial: ShopQuery;
}

/** All shops, with search and sorting. The query is kept in the URL, so that it can be shared and restored. */
export function ShopFinder({ initial }: ShopFinderProps) {
  const navigate = useNavigate({ from: "/shops" });
  const { checking, openShop } = useOpenShop();
  usePrintPageAhead();
  const [query, setQuery] = useState(initial);
  const { found, isError, retry } = useFoundShops(query);
  const isHydrated = useHydrated();
  const now = useNow();

  function change(next: ShopQuery) {
    setQuery(next);
    navigate({ search: next, replace: true, resetScroll: false });
  }

  if (!found) return isError ? <ShopsUnreachable onRetry={retry} /> : <ShopsSkeleton />;
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
              <ShopTile
                shop={shop}
                picture={index < EARLY_PICTURES ? "early" : isHydrated ? "lazy" : "none"}
                now={isHydrated ? now : undefined}
                onOpen={openShop}
              />
            </li>
          ))}
        </ul>
      ) : (
        <NothingFound search={query.q} onClear={() => change({ ...query, q: undefined })} />
      )}
      {found.isMoreError && (
        <p role="alert" className={classes.count}>
          The other shops could not be loaded. Try again.
        </p>
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

function NothingFound({ search, onClear }: { search: string | undefined; onClear: () => void }) {
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

function ShopsUnreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className={classes.nothing}>
      <h2>The shops cannot be shown</h2>
      <p>The store did not answer. Check your connection and try again.</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

/** Loads the scripts of the next page once this one is complete; on slow 3G they take a second. */
function usePrintPageAhead(): void {
  const router = useRouter();
  useEffect(() => {
    const load = () => void router.loadRouteChunk(router.routesByPath["/printnow"])?.catch(() => {});
    if (document.readyState === "complete") return load();
    window.addEventListener("load", load);
    return () => window.removeEventListener("load", load);
  }, [router]);
}

/** Opens a shop after checking that its data loads. A failed check is only logged. */
function useOpenShop() {
  const utils = trpc.useUtils();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const [checking, setChecking] = useState(false);

  async function openShop(id: string) {
    setChecking(true);
    try {
      await utils.shops.byId.fetch({ id }, { retry: false });
      if (isStillHere()) await navigate({ to: "/printnow", search: { id } });
    } catch (error) {
      console.error("The shop could not be checked", error);
    } finally {
      setChecking(false);
    }
  }

  return { checking, openShop };
}

/** The present moment, to the minute: a page may be open past midnight. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const ticking = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(ticking);
  }, []);
  return now;
}

interface ShopTileProps {
  shop: ShopCardData;
  picture: PictureLoading;
  now: Date | undefined;
  onOpen: (id: string) => void;
}

/** A shop's card, linked to its page. */
function ShopTile({ shop, picture, now, onOpen }: ShopTileProps) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(shop._id);
  }

  return (
    <ShopCard
      shop={shop}
      picture={picture}
      now={now}
      title={
        <Link to="/printnow" search={{ id: shop._id }} preload={false} onClick={open}>
          {shop.shopName}
        </Link>
      }
    />
  );
}

/** Labels of the sort orders. */
const ORDER_NAMES: Record<ShopSort, string> = {
  listed: "Name",
  price: "Lowest cost per page",
  sample: "Lowest price of the sample job",
  rating: "Best rating",
};

const ORDER_CHOICES = SHOP_SORTS.map((value) => ({ value, label: ORDER_NAMES[value] }));

interface ShopControlsProps {
  query: ShopQuery;
  onChange: (query: ShopQuery) => void;
}

function ShopControls({ query, onChange }: ShopControlsProps) {
  const search = useRef<HTMLInputElement>(null);
  const order = useRef<HTMLSelectElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the input from before hydration
  useEffect(() => {
    const early = { q: searchOf(search.current?.value), sort: orderOf(order.current?.value) };
    if (early.q !== query.q || early.sort !== query.sort) onChange(early);
  }, []);
  return (
    <search className={classes.controls}>
      <TextInput
        ref={search}
        type="search"
        size="md"
        label="Find a shop"
        placeholder="Name, place or college"
        leftSection={<TbSearch size={20} />}
        value={query.q ?? ""}
        onChange={({ currentTarget: { value } }) => onChange({ ...query, q: searchOf(value) })}
      />
      <NativeSelect
        ref={order}
        size="md"
        label="Sort by"
        data={ORDER_CHOICES}
        value={query.sort ?? "listed"}
        onChange={({ currentTarget: { value } }) => onChange({ ...query, sort: orderOf(value) })}
      />
    </search>
  );
}

function searchOf(value: string | undefined): ShopQuery["q"] {
  return value || undefined;
}

function orderOf(value: string | undefined): ShopQuery["sort"] {
  return isShopSort(value) && value !== "listed" ? value : undefined;
}

/** Debounce of the search field. */
const PAUSE_MS = 200;

interface FoundShops {
  shops: ShopCardData[];
  /** The number of all shops found, fetched or not. */
  total: number;
  /** Fetches the next page, if there is one. */
  showMore?: (() => void) | false;
  isFetchingMore?: boolean;
  isMoreError?: boolean;
}

/**
 * The shops of a query. If all shops fit into one page, the search runs in the browser at every key; otherwise on
 * the server. `found` is undefined until the first answer.
 */
function useFoundShops(query: ShopQuery) {
  const { q = "", sort = "listed" } = useDebouncedValue(query, PAUSE_MS)[0];
  const all = trpc.shops.page.useInfiniteQuery({}, { getNextPageParam: (page) => page.next });
  const first = all.data?.pages[0];
  const isWhole = first !== undefined && first.next === null;
  const isNarrowed = first !== undefined && !isWhole && (q !== "" || sort !== "listed");
  const asked = trpc.shops.page.useInfiniteQuery(isNarrowed ? { search: q, sort } : skipToken, {
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
  const local = useMemo(() => (isWhole ? first.shops.map(toSearchable) : []), [isWhole, first]);
  // Shows the previous shops until the server has answered.
  const shown = isNarrowed && (asked.data || asked.isError) ? asked : all;
  return {
    found: isWhole ? findLocally(local, query) : toFound(shown),
    isError: shown.isError,
    retry: () => void shown.refetch(),
  };
}

function findLocally(shops: readonly SearchableShop[], { q = "", sort = "listed" }: ShopQuery): FoundShops {
  const found = findShops(sortShops(shops, sort), q);
  return { shops: found, total: found.length };
}

interface PagesOfShops {
  data: { pages: ShopPage[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
  refetch(): Promise<unknown>;
}

function toFound(pages: PagesOfShops): FoundShops | undefined {
  const fetched = pages.data?.pages ?? [];
  const [first] = fetched;
  if (!first) return undefined;
  return {
    shops: fetched.flatMap(({ shops }) => shops),
    total: first.total,
    showMore: pages.hasNextPage && (() => void showMore(pages)),
    isFetchingMore: pages.isFetchingNextPage,
    isMoreError: pages.isFetchNextPageError,
  };
}

/** Not by `fetchMore` of #ui, for which the page of orders would load a chunk that it shares with this one. */
async function showMore(pages: PagesOfShops): Promise<void> {
  // The cursor may name a deleted shop; then the list is fetched from the start.
  if (pages.isFetchNextPageError) await pages.refetch();
  await pages.fetchNextPage();
}
