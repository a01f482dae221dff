import { Button, Group, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { formatPaise, toPaise } from "#shared/money.ts";
import { photoSources } from "#shared/photos.ts";
import { trpc } from "#ui/trpc.ts";
import TbPlus from "~icons/tabler/plus";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { useStaffUser } from "../../lib/session.ts";
import { SearchField } from "../../ui/filter-fields.tsx";
import { ListStates, Rows } from "../../ui/paged-list.tsx";
import { PageHeader } from "../../ui/screen.tsx";
import { hasNoPrices, type ManagedShop } from "./managed-shop.ts";
import { OpeningButton, ShopState } from "./shop-state.tsx";
import classes from "./shops-screen.module.css";

const route = getRouteApi("/_staff/shops/");

/** With more shops than this, a search is offered. */
const AT_A_GLANCE = 6;

/** The person's shops, or the one chosen in the header. */
export function ShopsScreen() {
  const { role } = useStaffUser();
  return (
    <>
      <PageHeader title="Shops" lead="Open, close and edit shops, and set prices.">
        {role === "admin" && (
          <Button
            leftSection={<TbPlus size={18} />}
            renderRoot={(props) => <Link to="/shops/new" {...props} />}
          >
            New shop
          </Button>
        )}
      </PageHeader>
      <ShopList />
    </>
  );
}

function ShopList() {
  // In the URL, so that whoever comes back from a shop finds the list as it was.
  const { search: typed = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const shopId = useCurrentShop();
  // A single shop is not searched for.
  const search = shopId ? "" : typed;
  const query = trpc.shops.admin.list.useInfiniteQuery(
    { search, shopId },
    { getNextPageParam: (page) => page.next, placeholderData: (before) => before },
  );
  const pages = query.data?.pages ?? [];
  function setSearch(text: string) {
    void navigate({
      search: (before) => ({ ...before, search: text || undefined }),
      replace: true,
      resetScroll: false,
    });
  }
  return (
    <>
      {(search || (pages[0]?.total ?? 0) > AT_A_GLANCE) && (
        <SearchField label="Find a shop" maw={360} mb="md" value={search} onSearch={setSearch} />
      )}
      <ListStates query={query} isEmpty={!pages[0]?.total} empty={search ? NO_MATCH : NO_SHOPS}>
        <Rows label="Shops">
          {pages.flatMap(({ rows }) => rows.map((shop) => <ShopRow key={shop._id} shop={shop} />))}
        </Rows>
      </ListStates>
    </>
  );
}

const NO_SHOPS = { title: "No shops yet", text: "Shops that you work for appear here." };
const NO_MATCH = { title: "No shop matches", text: "Search by its name, its place or its college." };

function ShopRow({ shop }: { shop: ManagedShop }) {
  const { _id: shopId, shopName, shopLocation, shopImage, perPageCost, samplePaise } = shop;
  const isNew = hasNoPrices(shop);
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
      <div>
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
          variant={isNew ? "filled" : "default"}
          renderRoot={(props) => <Link to="/shops/$shopId/prices" params={{ shopId }} {...props} />}
          aria-label={`${isNew ? "Set prices" : "Prices"} of ${shopName}`}
        >
          {isNew ? "Set prices" : "Prices"}
        </Button>
      </Group>
    </li>
  );
}
