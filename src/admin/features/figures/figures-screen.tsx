import { useNow } from "#admin/lib/clock.ts";
import { useCurrentShop } from "#admin/lib/current-shop.ts";
import { trpc } from "#client/lib/trpc.ts";
import { indianDay } from "#shared/indian-days.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryFailure } from "../../ui/query-failure.tsx";
import { FiguresBody } from "./figures-body.tsx";
import { FiguresControls } from "./figures-controls.tsx";
import { type FiguresSearch, periodOf } from "./figures-period.ts";
import { FiguresSkeleton } from "./figures-skeleton.tsx";

interface FiguresScreenProps {
  shown: FiguresSearch;
  onShow: (changes: FiguresSearch) => void;
}

/** What was ordered in a period, by day, by shop and by option. */
export function FiguresScreen({ shown, onShow }: FiguresScreenProps) {
  const period = periodOf(shown, indianDay(new Date(useNow())));
  const measure = shown.measure ?? "revenue";
  const { from, until } = period;
  const shopId = useCurrentShop();
  const { data, error, isPlaceholderData, refetch } = trpc.figures.read.useQuery(
    { shopId, from, until },
    { placeholderData: (before) => before, staleTime: 0 },
  );
  return (
    <>
      <PageHeader
        title="Figures"
        lead="By the day on which orders were placed, in India. Cancelled orders bring in nothing."
      />
      <FiguresControls period={period} measure={measure} onShow={onShow} />
      {error ? (
        <QueryFailure title="The figures could not be loaded" query={{ error, refetch }} />
      ) : data ? (
        <FiguresBody figures={data} measure={measure} shopId={shopId} isOld={isPlaceholderData} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  );
}
