import { useState } from "react";
import { OPTION_KINDS } from "#shared/options.ts";
import { trpc } from "#ui/trpc.ts";
import { Loader, LoadFailure } from "../../ui/screen.tsx";
import { FirstPrices } from "./first-prices.tsx";
import type { PriceDraft } from "./price-draft.ts";
import { PriceEditor } from "./price-editor.tsx";

/** How soon an editor notices that somebody else has saved. */
const REFETCH_MS = 20_000;

export function PricesScreen({ shopId }: { shopId: string }) {
  const shop = trpc.shops.admin.byId.useQuery({ shopId });
  const prices = trpc.prices.get.useQuery({ shopId }, { staleTime: 0, refetchInterval: REFETCH_MS });
  const error = shop.error ?? prices.error;
  const [isSkipped, setSkipped] = useState(false);
  const [typed, setTyped] = useState<PriceDraft | null>(null);
  if (shop.data && prices.data) {
    const { version, lists } = prices.data;
    if (!isSkipped && OPTION_KINDS.every((kind) => lists[kind].length === 0)) {
      return (
        <FirstPrices
          shopId={shopId}
          shopName={shop.data.shopName}
          isHidden={shop.data.hidden}
          version={version}
          onType={setTyped}
          onSkip={() => {
            setTyped(null);
            setSkipped(true);
          }}
        />
      );
    }
    return <PriceEditor shopId={shopId} isShown={!shop.data.hidden} latest={prices.data} typed={typed} />;
  }
  return error ? <LoadFailure error={error} /> : <Loader />;
}
