import { ActionIcon, Button, NativeSelect, NumberInput, Text, Title, VisuallyHidden } from "@mantine/core";
import { useId, useState } from "react";
import { formatPaise, type Paise } from "#shared/money.ts";
import { mapKinds, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { MAX_COPIES, MAX_PAGES } from "#shared/order-limits.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { priceJob, type Selection } from "#shared/pricing.ts";
import TbPlus from "~icons/tabler/plus";
import TbX from "~icons/tabler/x";
import classes from "./sample-panel.module.css";

const MAX_JOBS = 6;

/** What sample jobs cost by the saved and by the edited prices. */
export function SamplePanel({ saved, typed }: { saved: PriceLists; typed: PriceLists }) {
  const titleId = useId();
  const [jobs, setJobs] = useState(USUAL_JOBS);
  const [before, after] = [choicesIn(saved), choicesIn(typed)];
  const change = (key: number, next: Partial<SampleJob>) =>
    setJobs(jobs.map((job) => (job.key === key ? { ...job, ...next } : job)));

  function add() {
    const key = Math.max(0, ...jobs.map((job) => job.key)) + 1;
    setJobs([...jobs, { key, pages: 50, copies: 1, choices: {} }]);
  }

  return (
    <aside aria-labelledby={titleId} className={classes.panel}>
      <Title order={2} size="h6" id={titleId}>
        Sample jobs
      </Title>
      <Text c="dimmed" size="sm">
        With tax and delivery fee.
      </Text>
      <ul className={classes.jobs}>
        {jobs.map((job, index) => {
          const chosen = chosenIn(job, after);
          return (
            <li key={job.key} aria-label={`Sample job ${index + 1}`} className={classes.job}>
              <SampleJobPrice
                before={jobPrice(job, chosen, before)}
                after={jobPrice(job, chosen, after)}
                label={`${job.pages} pages, ${job.copies === 1 ? "1 copy" : `${job.copies} copies`}`}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                c="var(--ink-soft)"
                aria-label={`Remove sample job ${index + 1}`}
                onClick={() => setJobs(jobs.filter(({ key }) => key !== job.key))}
              >
                <TbX size={16} />
              </ActionIcon>
              <SampleJobFields
                job={job}
                number={index + 1}
                choices={after}
                chosen={chosen}
                onChange={(next) => change(job.key, next)}
              />
            </li>
          );
        })}
      </ul>
      {jobs.length < MAX_JOBS && (
        <Button size="xs" variant="default" leftSection={<TbPlus size={16} />} onClick={add}>
          Add a job
        </Button>
      )}
    </aside>
  );
}

interface SampleJobPriceProps {
  label: string;
  /** By the saved prices; null if the job could not be done. */
  before: Paise | null;
  after: Paise | null;
}

/** A job's price, and its price before if that differs. */
function SampleJobPrice({ label, before, after }: SampleJobPriceProps) {
  const difference = before !== null && after !== null ? after - before : 0;
  return (
    <p className={classes.price}>
      <Text component="span" display="block" size="sm">
        {label}
      </Text>
      {before !== after && before !== null && <s>{formatPaise(before)}</s>}{" "}
      <strong>{after === null ? "no price yet" : formatPaise(after)}</strong>
      {difference !== 0 && (
        <Text component="span" size="sm" c={difference > 0 ? "var(--bad)" : "var(--good)"}>
          {" "}
          {difference > 0 ? "+" : "−"}
          {formatPaise(Math.abs(difference))}
        </Text>
      )}
    </p>
  );
}

interface SampleJobFieldsProps {
  job: SampleJob;
  number: number;
  choices: Choices;
  chosen: Record<OptionKind, string | undefined>;
  onChange: (next: Partial<SampleJob>) => void;
}

/** The job's options, collapsed at first. */
function SampleJobFields({ job, number, choices, chosen, onChange }: SampleJobFieldsProps) {
  const count = (name: "pages" | "copies", max: number) => ({
    size: "xs",
    min: 1,
    max,
    allowDecimal: false,
    clampBehavior: "strict" as const,
    value: job[name],
    onChange: (value: string | number) => onChange({ [name]: Number(value) || 1 }),
  });
  return (
    <details className={classes.details}>
      <summary>
        {chosenNames(choices, chosen)}
        <VisuallyHidden component="span"> (change sample job {number})</VisuallyHidden>
      </summary>
      <div className={classes.fields}>
        <NumberInput label="Pages" {...count("pages", MAX_PAGES)} />
        <NumberInput label="Copies" {...count("copies", MAX_COPIES)} />
        {OPTION_KINDS.map((kind) => (
          <NativeSelect
            key={kind}
            size="xs"
            label={OPTION_FIELDS[kind].label}
            value={chosen[kind] ?? ""}
            onChange={({ currentTarget }) =>
              onChange({ choices: { ...job.choices, [kind]: currentTarget.value } })
            }
            data={[...choices[kind]].map(([value, { name }]) => ({ value, label: name }))}
          />
        ))}
      </div>
    </details>
  );
}

function chosenNames(choices: Choices, chosen: SampleJobFieldsProps["chosen"]): string {
  return OPTION_KINDS.map((kind) => choices[kind].get(chosen[kind] ?? "")?.name ?? "–").join(", ");
}

/** A job whose price is shown while prices are edited. */
interface SampleJob {
  key: number;
  pages: number;
  copies: number;
  /** The chosen options; by default the first active option of each list. */
  choices: Partial<Record<OptionKind, string>>;
}

/** A short handout and a long one. */
const USUAL_JOBS: SampleJob[] = [
  { key: 1, pages: 20, copies: 1, choices: {} },
  { key: 2, pages: 100, copies: 2, choices: {} },
];

/** Options by id, or by row key while they have none, to match them before and after a change. */
type Choices = Record<OptionKind, ReadonlyMap<string, PriceEntry>>;

/** The options of lists whose entries all have ids. */
function choicesIn(lists: PriceLists): Choices {
  return mapKinds((kind) => new Map(lists[kind].map((entry) => [entry.id ?? "", entry])));
}

/** The options of a job; undefined for a list without active options. */
function chosenIn(job: SampleJob, choices: Choices): Record<OptionKind, string | undefined> {
  return mapKinds((kind) => {
    const chosen = job.choices[kind];
    if (chosen !== undefined && choices[kind].has(chosen)) return chosen;
    return [...choices[kind]].find(([, { active }]) => active)?.[0];
  });
}

/** The price of a job with these options; null if one is missing. */
function jobPrice(
  { pages, copies }: SampleJob,
  chosen: Record<OptionKind, string | undefined>,
  choices: Choices,
): Paise | null {
  const options: Partial<Selection> = {};
  for (const kind of OPTION_KINDS) {
    const option = choices[kind].get(chosen[kind] ?? "");
    if (!option) return null;
    options[kind] = option;
  }
  return priceJob({ pages, copies, options: options as Selection }).totalPaise;
}
