import { Suspense, useRef } from "react";
import { layoutProblem } from "#shared/order-jobs.ts";
import type { ShopOption } from "#shared/schemas/shops.ts";
import { PAGES_PER_SIDE, type PagesPerSide, type SheetLayout } from "#shared/sheet-layout.ts";
import { lazyPart } from "../../ui/lazy.tsx";
import classes from "./layout-field.module.css";
import type { PrintPlan } from "./print-plan.ts";
import type { SheetPreviewProps } from "./sheet-preview.tsx";

/** Loaded once a layout is chosen; what it shows is not worth a reload of the page where it cannot be loaded. */
const SheetPreview = lazyPart<SheetPreviewProps>(
  async () => (await import("./sheet-preview.tsx")).SheetPreview,
  () => null,
);

interface LayoutFieldProps {
  layout: SheetLayout;
  plan: PrintPlan;
  /** Whether the shop prints both sides. */
  canBeBooklet: boolean;
  onChange: (layout: SheetLayout) => void;
}

export const BOOKLET: SheetLayout = { pagesPerSide: 2, hasFrames: false, isBooklet: true };

/** A layout with a line around each page where they share a side. */
export function sharedSides(pagesPerSide: PagesPerSide): SheetLayout {
  return { pagesPerSide, hasFrames: pagesPerSide > 1, isBooklet: false };
}

/**
 * The printing side to choose together with a layout, undefined for the one that is chosen: a booklet is printed on both sides, and
 * the layout after it as it was before.
 */
export function useSideOf(twoSided: ShopOption | undefined) {
  const before = useRef<string>(undefined);
  return (layout: SheetLayout, chosen: string, sides: number): string | undefined => {
    if (!layout.isBooklet) {
      const earlier = before.current;
      before.current = undefined;
      return chosen === twoSided?._id ? earlier : undefined;
    }
    if (layoutProblem(layout, sides) === null || !twoSided) return undefined;
    before.current = chosen;
    return twoSided._id;
  };
}

/** How many pages are printed on a side, with a picture of the first sheet and what it saves. */
export function LayoutField({ layout, plan, canBeBooklet, onChange }: LayoutFieldProps) {
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>Pages on a side</legend>
      <div className={classes.choices}>
        {PAGES_PER_SIDE.map((count) => (
          <label key={count} className={classes.choice}>
            <input
              type="radio"
              name="pagesPerSide"
              value={count}
              checked={!layout.isBooklet && layout.pagesPerSide === count}
              onChange={() => onChange(sharedSides(count))}
            />
            <span className={classes.count}>{count}</span>
          </label>
        ))}
        {canBeBooklet && (
          <label className={classes.choice} data-wide>
            <input
              type="radio"
              name="pagesPerSide"
              value="booklet"
              checked={layout.isBooklet}
              onChange={() => onChange(BOOKLET)}
            />
            <span>Booklet, to fold in the middle</span>
          </label>
        )}
      </div>
      {layout.pagesPerSide === 1 ? (
        <p className={classes.hint}>Several pages on a side save paper and money</p>
      ) : (
        <div className={classes.preview}>
          <Suspense>
            <SheetPreview layout={layout} plan={plan} />
          </Suspense>
          <div className={classes.settings}>
            <Setting
              name="hasFrames"
              label="A thin line around each page"
              isOn={layout.hasFrames}
              onChange={(hasFrames) => onChange({ ...layout, hasFrames })}
            />
            {layout.pagesPerSide > 2 && (
              <Setting
                name="readsDown"
                label="Read down, column by column"
                isOn={layout.readsDown === true}
                onChange={(readsDown) => onChange({ ...layout, readsDown })}
              />
            )}
          </div>
        </div>
      )}
    </fieldset>
  );
}

interface SettingProps {
  name: string;
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function Setting({ name, label, isOn, onChange }: SettingProps) {
  return (
    <label className={classes.setting}>
      <input
        type="checkbox"
        name={name}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
