import { ActionIcon, Button, Text, Title } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { PriceLists } from "#shared/price-list.ts";
import { SampleJobFields } from "./sample-job-fields.tsx";
import { SampleJobPrice } from "./sample-job-price.tsx";
import { choicesIn, chosenIn, jobPrice, type SampleJob, USUAL_JOBS } from "./sample-jobs.ts";
import classes from "./sample-panel.module.css";

const MAX_JOBS = 6;

/** What chosen jobs cost as it is saved, and as it is typed. */
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
                <IconX size={16} />
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
        <Button size="xs" variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
          Add a job
        </Button>
      )}
    </aside>
  );
}
