import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { type CSSProperties, type FormEvent, useRef, useState } from "react";
import { formatPaise } from "#shared/money.ts";
import { mapKinds, OPTION_FIELDS, OPTION_KINDS, type OptionKind, PER_BASIS } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { SAMPLE_JOB, samplePricePaise } from "#shared/sample-job.ts";
import type { PriceListsInput } from "#shared/schemas/prices.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import {
  type DraftRow,
  findIssues,
  type PriceDraft,
  type PriceIssue,
  toDraft,
  toLists,
  usualOption,
  withBlankRow,
} from "./price-draft.ts";

type Proposal = [name: string, paise: number, more?: Partial<DraftRow>];

/** What most print shops near a college offer, at usual prices; what few have is not ticked. */
const PROPOSALS: Record<OptionKind, Proposal[]> = {
  printedColours: [
    ["Black & White", 100],
    ["Colour", 800, { inColour: true }],
  ],
  printingSides: [
    ["Single side", 50],
    ["Both sides", 0, { sides: 2 }],
  ],
  paperTypes: [
    ["70 GSM", 50, { basis: "sheet" }],
    ["80 GSM", 75, { basis: "sheet", active: false }],
    ["Bond paper", 200, { basis: "sheet", active: false }],
  ],
  paperSizes: [
    ["A4", 0],
    ["A3", 200, { basis: "sheet", active: false }],
  ],
  coverOptions: [
    ["No cover", 0],
    ["Transparent sheet", 1000, { active: false }],
  ],
  bindingOptions: [
    ["No binding", 0],
    ["Corner staple", 200],
    ["Spiral binding", 3500],
    ["Soft binding", 7000, { active: false }],
  ],
};

/** The proposals as a draft, in which `active` is the tick. */
function proposedDraft(): PriceDraft {
  const lists = mapKinds((kind) =>
    PROPOSALS[kind].map(([name, pricePaise, more]) => ({ ...usualOption(kind), name, pricePaise, ...more })),
  );
  const draft = toDraft(lists);
  return mapKinds((kind) => draft[kind].slice(0, -1));
}

/** Only the ticked rows: what is not offered is not stored. */
function ticked(draft: PriceDraft): PriceDraft {
  return mapKinds((kind) => draft[kind].filter(({ active }) => active));
}

interface FirstPricesProps {
  shopId: string;
  shopName: string;
  /** Whether students do not see the shop yet. */
  isHidden: boolean;
  version: number;
  /** Is told what is being typed, as a draft of the table; null once it is saved. */
  onType: (draft: PriceDraft | null) => void;
  /** Opens the empty table instead. */
  onSkip: () => void;
}

/** The first price list of a new shop: usual options to tick, with prices to confirm, saved in one go. */
export function FirstPrices({ shopId, shopName, isHidden, version, onType, onSkip }: FirstPricesProps) {
  const utils = trpc.useUtils();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(proposedDraft);
  const [isTouched, setTouched] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const [show, setShow] = useState(isHidden);
  const save = trpc.prices.save.useMutation({
    onSuccess: async (saved) => {
      setTouched(false);
      onType(null);
      showDone(show ? `Students see ${shopName} and can order now` : "The prices are saved");
      await Promise.all([utils.shops.invalidate(), utils.staff.myShops.invalidate()]);
      utils.prices.get.setData({ shopId }, saved);
    },
    // Somebody else was first: the table takes the place of this form, with what was typed beside their list.
    onError: (error) => (codeOf(error) === "CONFLICT" ? utils.prices.get.invalidate({ shopId }) : undefined),
  });
  const issues = findIssues(ticked(draft), true);
  const lists = toLists(ticked(draft));

  function change(kind: OptionKind, row: DraftRow, changed: Partial<DraftRow>) {
    const rows = draft[kind].map((each) => (each.key === row.key ? { ...row, ...changed } : each));
    const next = { ...draft, [kind]: rows };
    setTouched(true);
    setDraft(next);
    onType(mapKinds((list) => withBlankRow(list, ticked(next)[list])));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    const [issue] = issues;
    if (issue) {
      const key = issue.row ?? draft[issue.kind][0]?.key;
      form.current
        ?.querySelector<HTMLElement>(`[data-row="${key}"] [data-${issue.row ? "price" : "tick"}]`)
        ?.focus();
    } else if (!save.isPending) {
      save.mutate({ shopId, version, show, lists: lists as PriceListsInput });
    }
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="lg" maw={900}>
        <div>
          <Title order={2} size="h4">
            Your first price list
          </Title>
          <Text c="dimmed">
            Tick what you offer and set your prices. These are usual ones near a college; 0 is free. You can
            rename, add and change everything afterwards.
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
          {OPTION_KINDS.map((kind) => (
            <ProposedList
              key={kind}
              kind={kind}
              rows={draft[kind]}
              issues={isChecked ? issues.filter((issue) => issue.kind === kind) : []}
              onChange={(row, changed) => change(kind, row, changed)}
            />
          ))}
        </SimpleGrid>
        <SampleText lists={lists} hasIssues={issues.length > 0} />
        {isHidden && (
          <Checkbox
            label="Show the shop to students, who can then order"
            checked={show}
            onChange={(event) => setShow(event.currentTarget.checked)}
          />
        )}
        <FormError error={save.error} />
        <Group gap="sm">
          <Button type="submit" loading={save.isPending}>
            {show ? "Save and take orders" : "Save"}
          </Button>
          <Button variant="default" onClick={onSkip}>
            Start with an empty table
          </Button>
        </Group>
      </Stack>
      <LeaveGuard active={isTouched} />
    </form>
  );
}

const ROW: CSSProperties = {
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) 7rem 4rem",
  alignItems: "center",
  gap: "0.5rem",
};

interface ProposedListProps {
  kind: OptionKind;
  rows: readonly DraftRow[];
  issues: PriceIssue[];
  onChange: (row: DraftRow, changed: Partial<DraftRow>) => void;
}

function ProposedList({ kind, rows, issues, onChange }: ProposedListProps) {
  const { label } = OPTION_FIELDS[kind];
  const whole = issues.find(({ row }) => row === null);
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text fw={600}>{label}</Text>
      {rows.map((row) => (
        <div key={row.key} data-row={row.key} style={ROW}>
          <Checkbox
            data-tick
            label={row.name}
            checked={row.active}
            onChange={(event) => onChange(row, { active: event.currentTarget.checked })}
          />
          <TextInput
            data-price
            aria-label={`Price of ${row.name} in rupees`}
            size="sm"
            inputMode="decimal"
            leftSection="₹"
            value={row.price}
            disabled={!row.active}
            error={issues.find((issue) => issue.row === row.key)?.message}
            onChange={(event) => onChange(row, { price: event.currentTarget.value })}
          />
          <Text size="sm" c="dimmed">
            {PER_BASIS[row.basis]}
          </Text>
        </div>
      ))}
      {whole && (
        <Text size="sm" c="var(--bad)" role="alert">
          {whole.message}
        </Text>
      )}
    </Stack>
  );
}

/** What these prices come to, as the shop's card will show it. */
function SampleText({ lists, hasIssues }: { lists: PriceLists; hasIssues: boolean }) {
  const paise = hasIssues ? null : samplePricePaise(lists);
  return (
    <Alert color="gray" role="status">
      {paise === null
        ? "Each list needs at least one option with a price."
        : `With these prices ${SAMPLE_JOB.label} cost ${formatPaise(paise)}, delivered.`}
    </Alert>
  );
}
