import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useMemo, useState } from "react";
import { counted } from "#shared/format.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { type ChosenFiles, findUnchecked, findWrongPages, summariseUploads } from "../files/print-file.ts";
import { type FileState, isUnderWay, needsStudent, useFileStates } from "../files/upload-phases.ts";
import { usePageChecks } from "../files/use-page-checks.ts";
import { useChosenSharedFiles } from "./add-files.ts";
import type { Draft } from "./draft.ts";
import { useDraft } from "./draft-store.ts";
import { FilesCard } from "./files-card.tsx";
import { bringFiles, findFilesElsewhere, rememberedChoices, rememberShop } from "./known-shops.ts";
import { HiddenUntilRead, OrderColumns, PRICE_NOTE_ID, PricePanel, PromiseLine } from "./order-columns.tsx";
import { saveOrderData, toJobs, toOrderData } from "./order-data.ts";
import classes from "./print-form.module.css";
import { PrintOptions } from "./print-options.tsx";
import { goneNote, type PrintPlan, planPrint } from "./print-plan.ts";

/** The form of an order: files, print options and price. */
export function PrintForm({ shop, user }: { shop: Shop; user: CurrentUser }) {
  const { draft, chosen, change, isRead } = useDraft(user._id, shop._id);
  useChosenSharedFiles(chosen, isRead);
  const remembered = useMemo(
    () => (isRead ? rememberedChoices(user._id, shop._id) : {}),
    [isRead, user._id, shop._id],
  );
  const states = useFileStates(draft.files);
  const navigate = useNavigate();
  const formId = useId();
  const checks = usePageChecks(summariseUploads(draft.files).orderPageData);
  const plan = planPrint(shop, draft, remembered, { checks });
  const obstacle = findObstacle(shop, plan, states) ?? findUnchecked(draft.files);
  const wrongPages = findWrongPages(draft.files);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { pages, copies, quote, files, jobs } = plan;
    const options = jobs[0]?.options;
    if (obstacle) return;
    if (wrongPages || !pages || !copies || !options || !quote) return focusFirstWrong();
    change({ jobs: toJobs(files, jobs) });
    rememberShop(user._id, shop._id, plan.choices);
    saveOrderData(toOrderData({ shop, userEmail: user.email, draft, pages, copies, options, quote }));
    void navigate({ to: "/printorder" });
  }

  return (
    <>
      <HiddenUntilRead userId={user._id} shopId={shop._id} isRead={isRead} />
      <PageTitle lead={`${shop.shopName}, ${shop.shopLocation}`}>Print your files</PageTitle>
      {!shop.isOpen && <ClosedNote shop={shop} />}
      {draft.again && <AgainNote again={draft.again} onClose={() => change({ again: undefined })} />}
      <OrderColumns
        price={
          <PricePanel
            quote={plan.quote}
            copies={plan.copies || 1}
            fulfilment={plan.fulfilment}
            placeholder="Add a file to see the price."
            promise={<PromiseLine shopId={shop._id} pages={plan.sides * (plan.copies || 1)} />}
            note={obstacle ?? wrongPages ?? goneNote(shop, draft, plan) ?? leftOutNote(states)}
            action={
              <Button
                type="submit"
                form={formId}
                size="md"
                fullWidth
                disabled={obstacle !== null}
                aria-describedby={PRICE_NOTE_ID}
              >
                Continue
              </Button>
            }
          />
        }
      >
        <FilesCard
          chosen={chosen}
          files={draft.files}
          pages={plan.pages || "all"}
          order={{ shop, options: plan.options }}
          offer={isRead && <FilesElsewhereOffer chosen={chosen} shopId={shop._id} />}
        />
        <Card title="Print options">
          <form id={formId} noValidate onSubmit={send}>
            <PrintOptions shop={shop} draft={draft} plan={plan} change={change} />
          </form>
        </Card>
      </OrderColumns>
    </>
  );
}

/** Why the student cannot continue; null if they can. */
export function findObstacle(
  shop: Shop,
  { options, files, totalPages, jobsProblem, isAwaitingColours }: PrintPlan,
  states: FileState[],
): string | null {
  if (!shop.isOpen) return `The shop is closed now. ${shop.closedNote}`.trim();
  if (!options) return "This shop's price list is not complete yet. Please choose another shop";
  const out = Object.values(options).find(({ isOut }) => isOut);
  if (out) return `The shop has run out of ${out.name} and takes no orders until it is back`;
  if (jobsProblem) return jobsProblem;
  if (states.some(({ step }) => step === "waiting")) {
    return "You are offline. Your files upload by themselves once the internet is back";
  }
  if (states.some(isUnderWay)) return "Your files are still being uploaded";
  if (isAwaitingColours) return "Your files are still being checked for colour";
  if (totalPages === 0) {
    return files.length > 0 ? "Choose at least one page to print" : "Add at least one file to continue";
  }
  return null;
}

export function leftOutNote(states: FileState[]): string | undefined {
  const left = states.filter(needsStudent).length;
  if (left === 0) return undefined;
  return left === 1
    ? "One file was not uploaded and is left out"
    : `${left} files were not uploaded and are left out`;
}

/** Focuses the first wrong field: the pages of a file stand before the form. @returns whether there is one */
export function focusFirstWrong(): boolean {
  const field = document.querySelector<HTMLElement>("main [aria-invalid='true']");
  field?.focus();
  return field !== null;
}

/** Files that were added at another shop can be printed here without uploading them again. */
function FilesElsewhereOffer({ chosen, shopId }: { chosen: ChosenFiles; shopId: string }) {
  const { shops } = trpc.useUtils();
  const [elsewhere] = useState(() => findFilesElsewhere(chosen.owner, shopId));
  if (!elsewhere) return null;
  const { names } = elsewhere;
  // Known if the student comes from there; it is not worth a request that would move the page.
  const shop = shops.byId.getData({ id: elsewhere.shopId })?.shopName ?? "another shop";
  return (
    <section aria-label="Files at another shop" className={classes.elsewhere}>
      <p>
        <strong>
          You added {counted(names.length, "file")} at {shop}:
        </strong>{" "}
        {names.slice(0, NAMED_FILES).join(", ")}
        {names.length > NAMED_FILES && ` and ${names.length - NAMED_FILES} more`}.
      </p>
      <Button variant="default" onClick={() => bringFiles(chosen, elsewhere)}>
        Print {names.length > 1 ? "them" : "it"} here instead
      </Button>
    </section>
  );
}

const NAMED_FILES = 3;

/** A note that the shop is closed; the order can still be prepared. */
function ClosedNote({ shop }: { shop: Shop }) {
  return (
    <div role="status" className={classes.note}>
      <strong>
        {shop.shopName} is closed now{shop.closedNote && `: ${shop.closedNote}`}
      </strong>
      <p>You can prepare your order now. It is saved here, and you can place it once the shop opens again.</p>
    </div>
  );
}

interface AgainNoteProps {
  again: NonNullable<Draft["again"]>;
  onClose: () => void;
}

/** A note that the form was filled in from an earlier order, with the options that the shop no longer offers. */
function AgainNote({ again: { number, gone, parts = [] }, onClose }: AgainNoteProps) {
  return (
    <section aria-label={`Order ${number} again`} className={classes.again}>
      <p>
        <strong>Filled in from order {number}.</strong> Please add your files again: files are deleted after
        printing.
      </p>
      {gone.length > 0 && (
        <>
          <p>The shop no longer offers this. Please check what is selected instead:</p>
          <ul className={classes.gone}>
            {gone.map(({ label, name }) => (
              <li key={label}>
                {label}: {name}
              </li>
            ))}
          </ul>
        </>
      )}
      {parts.length > 0 && (
        <>
          <p>Some files had other options. Choose them again with each file:</p>
          <ul className={classes.gone}>
            {parts.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </>
      )}
      <Button variant="default" size="compact-md" onClick={onClose}>
        OK
      </Button>
    </section>
  );
}
