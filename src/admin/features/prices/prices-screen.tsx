import { trpc } from "#ui/trpc.ts";
import { LoadFailure } from "../../ui/error-screens.tsx";
import { Loader } from "../../ui/loader.tsx";
import { PriceEditor } from "./price-editor.tsx";

/** How soon an editor notices that somebody else has saved. */
const LOOK_AGAIN_MS = 20_000;

export function PricesScreen({ shopId }: { shopId: string }) {
  const shop = trpc.shops.admin.byId.useQuery({ shopId });
  const prices = trpc.prices.get.useQuery({ shopId }, { staleTime: 0, refetchInterval: LOOK_AGAIN_MS });
  const error = shop.error ?? prices.error;
  if (shop.data && prices.data) {
    return <PriceEditor key={shopId} shopId={shopId} isShown={!shop.data.hidden} latest={prices.data} />;
  }
  return error ? <LoadFailure error={error} /> : <Loader />;
}
