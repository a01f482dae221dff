import { NativeSelect, NumberInput } from "@mantine/core";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { MAX_COPIES, MAX_PAGES } from "#shared/schemas/orders.ts";
import type { Choices, SampleJob } from "./sample-jobs.ts";
import classes from "./sample-panel.module.css";

interface SampleJobFieldsProps {
  job: SampleJob;
  number: number;
  choices: Choices;
  chosen: Record<OptionKind, string | undefined>;
  onChange: (next: Partial<SampleJob>) => void;
}

/** What the job is, folded away until it is wanted. */
export function SampleJobFields({ job, number, choices, chosen, onChange }: SampleJobFieldsProps) {
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
        <span className={classes.spoken}> (change sample job {number})</span>
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
