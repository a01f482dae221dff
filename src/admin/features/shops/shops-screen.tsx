import { Button, Group, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { foldText } from "#shared/fold-text.ts";
import { formatPaise, toPaise } from "#shared/money.ts";
import { photoSources } from "#shared/photos.ts";
import { trpc } from "#ui/trpc.ts";
import TbPlus from "~icons/tabler/plus";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { useStaffUser } from "../../lib/session.ts";
import { SearchField } from "../../ui/filter-fields.tsx";
import { Rows } from "../../ui/paged-list.tsx";
import { Loader, PageHeader, QueryFailure, ScreenMessage } from "../../ui/screen.tsx";
import { hasNoPrices, type ManagedShop } from "./managed-shop.ts";
import { OpeningButton, ShopState } from "./shop-state.tsx";
import classes from "./shops-screen.module.css";

const route = getRouteApi("/_staff/shops/");

/** With more shops than this, a search is offered. */
const AT_A_GLANCE = 6;

/** The person's shops, or the one chosen in the header. */
export function ShopsScreen() {
  const { role } = useStaffUser();
  const query = trpc.shops.admin.list.useQuery();
  const chosen = useCurrentShop();
  const shops = query.data?.filter(({ _id }) => !chosen || _id === chosen);
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
      {query.error && <QueryFailure title="The shops could not be loaded" query={query} />}
      {query.isPending && <Loader />}
      {shops && <ShopList shops={shops} />}
    </>
  );
}

function ShopList({ shops }: { shops: ManagedShop[] }) {
  // In the URL, so that whoever comes back from a shop finds the list as it was.
  const { search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  function setSearch(text: string) {
    void navigate({
      search: (before) => ({ ...before, search: text || undefined }),
      replace: true,
      resetScroll: false,
    });
  }
  const offersSearch = shops.length > AT_A_GLANCE;
  const words = offersSearch ? foldText(search).split(" ") : [];
  const found = shops.filter(({ shopName, shopLocation, college }) => {
    const text = foldText(`${shopName} ${shopLocation} ${college}`);
    return words.every((word) => text.includes(word));
  });
  if (shops.length === 0) {
    return <ScreenMessage title="No shops yet" text="Shops that you work for appear here." />;
  }
  return (
    <>
      {offersSearch && (
        <SearchField label="Find a shop" maw={360} mb="md" value={search} onSearch={setSearch} />
      )}
      {found.length > 0 ? (
        <Rows label="Shops">
          {found.map((shop) => (
            <ShopRow key={shop._id} shop={shop} />
          ))}
        </Rows>
      ) : (
        <ScreenMessage title="No shop matches" text="Search by its name, its place or its college." />
      )}
    </>
  );
}

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
