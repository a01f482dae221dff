import "../../ui/form-styles.ts";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { isOfKind, PHOTOS } from "#shared/file-formats.ts";
import type { Hold } from "#shared/holds.ts";
import { FAILURE } from "#shared/messages.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { chosenPagesText, NO_PAGES, pagesText } from "#shared/print-pages.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { Problem } from "../../ui/form-alert.tsx";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { addFiles, addPhotos, PHOTOS_PER_FILE, takeOff, useListActions } from "../files/file-actions.ts";
import { FileList } from "../files/file-list.tsx";
import { type ChosenFiles, findFileProblem, type PrintFile, summariseUploads } from "../files/print-file.ts";
import { type FileState, isUnderWay, needsStudent, useFileStates } from "../files/upload-phases.ts";
import { PHOTO_TYPES, useFormats } from "../files/use-formats.ts";
import { placedDraft } from "../print/draft.ts";
import { clearDraft, useDraft } from "../print/draft-store.ts";
import { optionChoices } from "../print/prices.tsx";
import classes from "./order-hold.module.css";

/** The props of the form of each way. */
export interface WayProps {
  order: OwnOrderDetail;
  hold: Hold;
  user: CurrentUser;
  onClose: () => void;
  /** Callbacks of the mutation that sends the form. */
  sending: Sending;
}

export interface Sending {
  onMutate: () => void;
  onError: (error: unknown) => void;
}

type JobOptions = Partial<Record<OptionKind, string>>;

/** Other files and options for an order on hold, with the old and the new price, which the student accepts. */
export function HoldChanges({ order, hold, user, onClose, sending }: WayProps) {
  const { orders } = trpc.useUtils();
  const { store, draft, chosen } = useDraft(user._id, placedDraft(hold.id));
  const { files } = draft;
  const obstacle = findObstacle(files, useFileStates(files));
  const [options, setOptions] = useState<JobOptions[]>(() => order.options.map(() => ({})));
  const changes = {
    orderId: order.id,
    holdId: hold.id,
    files: files.flatMap((file) => {
      const [printed] = summariseUploads([file]).orderPageData;
      if (!printed || !file.replaces) return [];
      return { fileId: file.replaces, fileUrl: printed.url, pages: printed.pageRanges ?? undefined };
    }),
    options,
  };
  const isChosen = files.length > 0 || options.some((ofJob) => Object.keys(ofJob).length > 0);
  const isChanged = isChosen && obstacle === null;
  const quote = trpc.holds.quote.useQuery(changes, {
    enabled: isChanged,
    retry: false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const accept = trpc.holds.change.useMutation({
    onMutate: sending.onMutate,
    onError(error) {
      sending.onError(error);
      return quote.refetch();
    },
    onSuccess() {
      clearDraft(store);
      showSuccess({ title: "Your order was changed", text: `${order.shop.name} can print it now.` });
    },
    onSettled: () => orders.invalidate(),
  });
  const price = isChanged && !quote.error ? quote.data : undefined;
  const problem = accept.error ?? (isChanged ? quote.error : null);

  return (
    <section className={classes.form} aria-label="What to change" tabIndex={-1} ref={takeFocus}>
      <HeldFiles
        order={order}
        chosen={chosen}
        files={files}
        paperNameOf={(file) => {
          const job = order.jobs.findIndex(({ pageRanges }) => pageRanges[file] !== NO_PAGES);
          const ofJob = price ? price.after.jobs[price.parts.indexOf(job)] : order.quote.jobs[job];
          return ofJob?.lines.find(({ kind }) => kind === "paperSizes")?.name ?? "A4";
        }}
      />
      {!order.isReprint && (
        <OptionFields
          order={order}
          parts={quote.data && isChanged ? quote.data.parts : [...order.options.keys()]}
          options={options}
          onChange={setOptions}
        />
      )}
      {/* It exists before the first price, so that screen readers announce it. */}
      <div className={classes.news} aria-live="polite">
        {price && (
          <div className={classes.changed}>
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
      </div>
      {problem && <Problem message={messageOf(problem)} />}
      <div className={classes.buttons}>
        <Button
          disabled={!price || quote.isFetching}
          loading={accept.isPending}
          onClick={pressOnce(() => {
            if (price) accept.mutate({ ...changes, expectedTotalPaise: price.after.totalPaise });
          })}
        >
          {price ? `Accept ${formatPaise(price.after.totalPaise)} and continue` : "Accept and continue"}
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </div>
      {!isChanged && (
        <p className={classes.hint}>
          {obstacle ?? "Replace a file or choose another option to see the new price."}
        </p>
      )}
      {order.paidPaise > 0 && price && price.after.totalPaise !== price.before.totalPaise && (
        <p className={classes.hint}>
          You have paid {formatPaise(order.paidPaise)} already: the shop settles the difference with you.
        </p>
      )}
    </section>
  );
}

/** Why there is no price yet for these files; null when there can be one. */
function findObstacle(files: readonly PrintFile[], states: FileState[]): string | null {
  if (states.some(isUnderWay)) return "Your files are still being uploaded";
  const left = files[states.findIndex(needsStudent)];
  return left
    ? `“${left.name}” was not uploaded. Choose it again or remove it first`
    : findFileProblem(files);
}

interface OptionFieldsProps {
  order: OwnOrderDetail;
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
      const offered = optionChoices(shop[kind]).map((choice) => ({
        ...choice,
        disabled: choice.disabled && choice.value !== agreed,
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

type OrderFile = OwnOrderDetail["files"][number];

interface HeldFilesProps {
  order: OwnOrderDetail;
  /** The files that replace some of the order's, as their `replaces` says. */
  chosen: ChosenFiles;
  files: readonly PrintFile[];
  /** The name of the paper that a file of the order is printed on, by its place. */
  paperNameOf: (place: number) => string;
}

/** The printed files of an order on hold; each can be replaced by whatever the print page takes. */
function HeldFiles({ order, chosen, files, paperNameOf }: HeldFilesProps) {
  return (
    <ul className={classes.files} aria-label="Files of the order">
      {order.files.map(
        (file, place) =>
          file.pageRanges !== NO_PAGES && (
            <HeldFile
              key={file.id}
              file={file}
              chosen={chosen}
              replacement={files.filter(({ replaces }) => replaces === file.id)}
              paperName={paperNameOf(place)}
            />
          ),
      )}
    </ul>
  );
}

interface HeldFileProps {
  file: OrderFile;
  chosen: ChosenFiles;
  /** The file that replaces it; empty until there is one. */
  replacement: PrintFile[];
  paperName: string;
}

function HeldFile({ file: { id, name, ...pages }, chosen, replacement, paperName }: HeldFileProps) {
  const button = useRef<HTMLButtonElement>(null);
  const formats = useFormats();
  const { forget, rows } = useListActions(chosen);
  const isReplaced = replacement.length > 0;

  function keep() {
    for (const file of replacement) {
      takeOff(chosen, file);
      void forget(file);
    }
    button.current?.focus();
  }

  function replace(picked: readonly File[]) {
    const arePhotos = picked.every((file) => isOfKind(file, PHOTOS));
    if (
      arePhotos
        ? picked.length > PHOTOS_PER_FILE
        : picked.length > 1 || !picked.every((file) => isOfKind(file, formats))
    ) {
      const document = formats.isConverting ? "one PDF or document" : "one PDF";
      const text = `“${name}” can be replaced by ${document}, or by up to ${PHOTOS_PER_FILE} photos. Save documents of other kinds as PDF first.`;
      return showError({ title: FAILURE.upload, text });
    }
    keep();
    if (arePhotos) addPhotos(chosen, picked, { replaces: id });
    else addFiles(chosen, picked, { replaces: id });
  }

  return (
    <li>
      <div className={classes.file}>
        <span className={classes.name}>
          {isReplaced ? <s>{name}</s> : name}
          <small>{isReplaced ? "replaced by" : chosenPagesText(pages)}</small>
        </span>
        <FileButton
          multiple
          accept={`${formats.accept},${PHOTO_TYPES}`}
          onChange={(picked) => picked.length > 0 && replace(picked)}
        >
          {(props) => (
            <Button {...props} ref={button} variant="default" aria-label={`Replace ${name}`}>
              Replace
            </Button>
          )}
        </FileButton>
      </div>
      {isReplaced && (
        <FileList
          files={replacement}
          printed={summariseUploads(replacement).orderPageData}
          {...rows}
          onRemove={keep}
          onChooseAgain={(_file, picked) => replace(picked)}
          paperNameOf={() => paperName}
          focusWhenEmpty={() => {}}
        />
      )}
    </li>
  );
}
