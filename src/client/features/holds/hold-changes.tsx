import "../../ui/theme/form-styles.ts";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Hold } from "#shared/holds.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { chosenPagesText, NO_PAGES, pagesText } from "#shared/print-pages.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { trpc } from "#ui/trpc.ts";
import type { UploadedPrint } from "../files/print-file.ts";
import { sendFile } from "../files/upload-request.ts";
import type { OrderDetail } from "../orders/own-order.ts";
import { labelOption } from "../print/price-labels.ts";
import classes from "./order-hold.module.css";

interface HoldChangesProps {
  order: OrderDetail;
  hold: Hold;
  onClose: () => void;
}

type JobOptions = Partial<Record<OptionKind, string>>;
type NewFiles = Record<string, UploadedPrint & { name: string }>;

/** Other files and options for an order on hold, with the old and the new price, which the student accepts. */
export function HoldChanges({ order, hold, onClose }: HoldChangesProps) {
  const { orders } = trpc.useUtils();
  const [files, setFiles] = useState<NewFiles>({});
  const [options, setOptions] = useState<JobOptions[]>(() => order.options.map(() => ({})));
  const changes = {
    orderId: order.id,
    holdId: hold.id,
    files: Object.entries(files).map(([fileId, { url }]) => ({ fileId, fileUrl: url })),
    options,
  };
  const isChanged = changes.files.length > 0 || options.some((ofJob) => Object.keys(ofJob).length > 0);
  const quote = trpc.holds.quote.useQuery(changes, {
    enabled: isChanged,
    retry: false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const accept = trpc.holds.change.useMutation({
    onError: () => quote.refetch(),
    onSettled: () => orders.invalidate(),
  });
  const price = isChanged && !quote.error ? quote.data : undefined;
  const problem = accept.error ?? (isChanged ? quote.error : null);

  return (
    <div className={classes.form}>
      <ul className={classes.files} aria-label="Files of the order">
        {order.files
          .filter(({ pageRanges }) => pageRanges !== NO_PAGES)
          .map((file) => (
            <ReplacedFile
              key={file.id}
              name={file.name}
              facts={chosenPagesText(file)}
              replacement={files[file.id]}
              onReplaced={(uploaded) => setFiles((all) => ({ ...all, [file.id]: uploaded }))}
            />
          ))}
      </ul>
      {!order.isReprint && (
        <OptionFields
          order={order}
          parts={quote.data && isChanged ? quote.data.parts : [...order.options.keys()]}
          options={options}
          onChange={setOptions}
        />
      )}
      {price && (
        <div className={classes.changed} aria-live="polite">
          <ul aria-label="Changes">
            {[...new Set(price.changes)].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <dl className={classes.price}>
            <dt>Agreed until now, {pagesText(order.pages)}</dt>
            <dd>{formatPaise(price.before.totalPaise)}</dd>
            <dt className={classes.total}>New price, {pagesText(price.pages)}</dt>
            <dd className={classes.total}>{formatPaise(price.after.totalPaise)}</dd>
          </dl>
        </div>
      )}
      {problem && (
        <p role="alert" className={classes.problem}>
          {messageOf(problem)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          disabled={!price || quote.isFetching}
          loading={accept.isPending}
          onClick={(event) => {
            ignoreSecondPress(event);
            if (price) accept.mutate({ ...changes, expectedTotalPaise: price.after.totalPaise });
          }}
        >
          {price ? `Accept ${formatPaise(price.after.totalPaise)} and go on` : "Accept and go on"}
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </div>
      {!isChanged && (
        <p className={classes.hint}>Replace a file or choose another option to see the new price.</p>
      )}
      {order.paidAt && price && price.after.totalPaise !== price.before.totalPaise && (
        <p className={classes.hint}>You have paid already: the shop settles the difference with you.</p>
      )}
    </div>
  );
}

interface ReplacedFileProps {
  name: string;
  facts: string;
  replacement: NewFiles[string] | undefined;
  onReplaced: (uploaded: NewFiles[string]) => void;
}

/** A file of the order and, once uploaded, the one that replaces it. */
function ReplacedFile({ name, facts, replacement, onReplaced }: ReplacedFileProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function replace(file: File | null) {
    if (!file) return;
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const { signal } = abort;
    setProblem("");
    setProgress(0);
    try {
      const uploaded = await sendFile(file, file.name, { signal, onProgress: setProgress });
      if (!signal.aborted) onReplaced({ ...uploaded, name: file.name });
    } catch (error) {
      if (!signal.aborted) setProblem(textOf(error));
    } finally {
      if (!signal.aborted) setProgress(null);
    }
  }

  return (
    <li className={classes.file}>
      <span className={classes.name}>
        {replacement ? <s>{name}</s> : name}
        <small>{replacement ? `now ${replacement.name}, ${pagesText(replacement.pages)}` : facts}</small>
        {problem && <small role="alert">{problem}</small>}
      </span>
      <FileButton accept="application/pdf,.pdf" onChange={(file) => void replace(file)}>
        {(props) => (
          <Button {...props} variant="default" loading={progress !== null} aria-label={`Replace ${name}`}>
            Replace
          </Button>
        )}
      </FileButton>
    </li>
  );
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : "";
  return text || "The store cannot be reached. Check your connection and try again";
}

interface OptionFieldsProps {
  order: OrderDetail;
  /** The places of the jobs that print something: a replaced file may leave one empty. */
  parts: number[];
  /** The changes of each job. */
  options: JobOptions[];
  onChange: (options: JobOptions[]) => void;
}

/**
 * The shop's options of today; the agreed one stays first where the shop has taken it off its list. What all parts of an order
 * have is changed for all of them.
 */
function OptionFields({ order, parts, options, onChange }: OptionFieldsProps) {
  const { data: shop } = trpc.shops.byId.useQuery({ id: order.shop.id });
  if (!shop) return null;
  return OPTION_KINDS.flatMap((kind) => {
    const ids = order.options.map((ofJob) => ofJob[kind] ?? "");
    const isCommon = new Set(parts.map((job) => ids[job])).size === 1;
    const fields = isCommon
      ? [{ jobs: parts, part: "" }]
      : parts.map((job, at) => ({ jobs: [job], part: `, part ${at + 1}` }));
    return fields.map(({ jobs: [first = 0, ...others], part }) => {
      const jobs = [first, ...others];
      const agreed = ids[first] ?? "";
      const offered = shop[kind].map((option) => ({
        value: option._id,
        label: labelOption(option),
        disabled: option.isOut === true && option._id !== agreed,
      }));
      const name = order.quote.jobs[first]?.lines.find((line) => line.kind === kind)?.name ?? "";
      const isOffered = offered.some(({ value }) => value === agreed);
      return (
        <NativeSelect
          key={`${kind}${part}`}
          size="md"
          label={`${OPTION_FIELDS[kind].label}${part}`}
          value={options[first]?.[kind] ?? agreed}
          data={isOffered ? offered : [{ value: agreed, label: name }, ...offered]}
          onChange={({ currentTarget: { value } }) =>
            onChange(
              options.map((ofJob, job) => {
                if (!jobs.includes(job)) return ofJob;
                const { [kind]: _, ...rest } = ofJob;
                return value === agreed ? rest : { ...rest, [kind]: value };
              }),
            )
          }
        />
      );
    });
  });
}
