import { useState } from "react";
import { OPTION_KINDS } from "#shared/options.ts";
import { trpc } from "#ui/trpc.ts";
import { LoadFailure } from "../../ui/error-screens.tsx";
import { Loader } from "../../ui/loader.tsx";
import { FirstPrices } from "./first-prices.tsx";
import { PriceEditor } from "./price-editor.tsx";

/** How soon an editor notices that somebody else has saved. */
const LOOK_AGAIN_MS = 20_000;

export function PricesScreen({ shopId }: { shopId: string }) {
  const shop = trpc.shops.admin.byId.useQuery({ shopId });
  const prices = trpc.prices.get.useQuery({ shopId }, { staleTime: 0, refetchInterval: LOOK_AGAIN_MS });
  const error = shop.error ?? prices.error;
  const [isSkipped, setSkipped] = useState(false);
  if (shop.data && prices.data) {
    const { version, lists } = prices.data;
    if (!isSkipped && OPTION_KINDS.every((kind) => lists[kind].length === 0)) {
      return (
        <FirstPrices
          key={shopId}
          shopId={shopId}
          shopName={shop.data.shopName}
          isHidden={shop.data.hidden}
          version={version}
          onSkip={() => setSkipped(true)}
        />
      );
    }
    return <PriceEditor key={shopId} shopId={shopId} isShown={!shop.data.hidden} latest={prices.data} />;
  }
  return error ? <LoadFailure error={error} /> : <Loader />;
}
