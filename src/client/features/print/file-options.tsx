import "../../ui/form-styles.ts";
import { Button, NativeSelect } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { layoutText } from "#shared/order-jobs.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { PAGES_PER_SIDE } from "#shared/sheet-layout.ts";
import { RowToggle } from "../files/page-choice.tsx";
import type { OwnPrinting, PrintFile } from "../files/print-file.ts";
import classes from "./file-options.module.css";
import { BOOKLET, sharedSides, useSideOf } from "./layout-field.tsx";
import { optionChoices } from "./prices.tsx";
import { type ChosenOptions, goneKinds, ownOptions, twoSidedAt } from "./print-plan.ts";

/** The value of the choice 'as for the order'. */
const AS_ORDER = "";
const BOOKLET_VALUE = "booklet";
const SELECT = { size: "md", className: classes.field ?? "" } as const;

export interface FileOptionsProps {
  shop: Shop;
  file: PrintFile;
  /** Those of the order. */
  options: ChosenOptions;
  /** Called with what is chosen for this file alone; undefined for nothing. */
  onChange: (own: OwnPrinting | undefined) => void;
}

/** What is chosen for one file in place of the options of the order. */
export function FileOptions({ shop, file, options, onChange }: FileOptionsProps) {
  const [isShown, { toggle }] = useDisclosure(false);
  const fieldsId = useId();
  const own = file.own ?? { options: {} };
  const chosen = ownOptions(shop, own.options);
  const twoSided = twoSidedAt(shop);
  const sideOf = useSideOf(twoSided);
  const names = [
    own.layout && (layoutText(own.layout) ?? "1 on a side"),
    ...OPTION_KINDS.map((kind) => chosen[kind]?.name),
  ].filter(Boolean);
  const text = names.length > 0 ? `Other options: ${names.join(", ")}` : "Other options for this file";

  function change(next: OwnPrinting) {
    const kept = Object.entries(next.options).filter(([, id]) => id !== AS_ORDER);
    const isNone = kept.length === 0 && !next.layout;
    onChange(isNone ? undefined : { ...next, options: Object.fromEntries(kept) });
  }

  function choose(kind: OptionKind, id: string) {
    change({ ...own, options: { ...own.options, [kind]: id } });
  }

  function chooseLayout(value: string) {
    const layout =
      value === BOOKLET_VALUE
        ? BOOKLET
        : sharedSides(PAGES_PER_SIDE.find((count) => String(count) === value) ?? 1);
    const { sides } = chosen.printingSides ?? options.printingSides;
    const { printingSides = AS_ORDER } = own.options;
    change({
      layout: value === AS_ORDER ? undefined : layout,
      options: { ...own.options, printingSides: sideOf(layout, printingSides, sides) ?? printingSides },
    });
  }

  return (
    <div className={classes.own}>
      {goneKinds(shop, own.options).map((kind) => (
        <p key={kind} role="status" className={classes.gone}>
          {OPTION_FIELDS[kind].label}: what you chose for this file is not available now. It is printed as the
          order: {options[kind].name}.
        </p>
      ))}
      <RowToggle text={text} name={file.name} isOpen={isShown} fieldId={fieldsId} onClick={toggle} />
      <div id={fieldsId}>
        {isShown && (
          <fieldset className={classes.fields} aria-label={`Options of ${file.name}`}>
            <NativeSelect
              {...SELECT}
              label="Pages on a side"
              value={own.layout ? (own.layout.isBooklet ? BOOKLET_VALUE : own.layout.pagesPerSide) : AS_ORDER}
              data={[
                { value: AS_ORDER, label: "As for the order" },
                ...PAGES_PER_SIDE.map((count) => ({ value: String(count), label: String(count) })),
                ...(twoSided ? [{ value: BOOKLET_VALUE, label: "Booklet, to fold in the middle" }] : []),
              ]}
              onChange={({ currentTarget }) => chooseLayout(currentTarget.value)}
            />
            {OPTION_KINDS.map((kind) => (
              <NativeSelect
                {...SELECT}
                key={kind}
                label={OPTION_FIELDS[kind].label}
                value={chosen[kind]?._id ?? AS_ORDER}
                data={[
                  { value: AS_ORDER, label: `${options[kind].name}, as for the order` },
                  ...optionChoices(shop[kind]),
                ]}
                onChange={({ currentTarget }) => choose(kind, currentTarget.value)}
              />
            ))}
            {file.own && (
              <Button variant="default" size="compact-md" onClick={() => onChange(undefined)}>
                All as for the order
              </Button>
            )}
          </fieldset>
        )}
      </div>
    </div>
  );
}
