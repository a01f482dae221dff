import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useId, useState } from "react";
import { FAILURE } from "#shared/messages.ts";
import { orderValueOf } from "#shared/pricing.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { lateAtCounter, MAX_VISITOR_NAME } from "#shared/visits.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { ownItems } from "../../lib/storage.ts";
import { Card } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { findUnchecked, findWrongPages, summariseUploads } from "../files/print-file.ts";
import { useFileStates } from "../files/upload-phases.ts";
import { usePageChecks } from "../files/use-page-checks.ts";
import { clearDraft, useDraftOf, useTakeOffOrdered } from "../print/draft-store.ts";
import { FilesCard } from "../print/files-card.tsx";
import {
  HiddenUntilRead,
  OrderColumns,
  PRICE_NOTE_ID,
  PricePanel,
  PromiseLine,
  usePromise,
} from "../print/order-columns.tsx";
import { jobsField, resendUnanswered, toJobs, toOrderData } from "../print/order-data.ts";
import { findObstacle, focusFirstWrong, leftOutNote } from "../print/print-form.tsx";
import { PrintOptions } from "../print/print-options.tsx";
import { goneNote, planPrint } from "../print/print-plan.ts";
import classes from "./counter.module.css";

interface CounterFormProps {
  shop: Shop;
  /** The owner of the draft in this browser. */
  owner: string;
  /** The name that was given with an earlier order. */
  knownName: string;
  /** Whether the visit has an order already. */
  isAnother: boolean;
  /** When the visit ends, ISO 8601 in UTC. */
  endsAt: string;
  onPlaced: (id: string) => void;
  onVisitOver: () => void;
}

/** Files, options, price, and the name to call out: the whole order in one form. */
export function CounterForm({
  shop,
  owner,
  knownName,
  isAnother,
  endsAt,
  onPlaced,
  onVisitOver,
}: CounterFormProps) {
  const { store, draft, chosen, change, isRead } = useDraftOf(owner, shop._id, onVisitOver);
  const { name, setName } = useVisitorName(owner, knownName, isRead);
  const [isNameMissing, setNameMissing] = useState(false);
  const states = useFileStates(draft.files);
  const formId = useId();
  const checks = usePageChecks(summariseUploads(draft.files).orderPageData);
  const plan = planPrint(shop, draft, {}, { checks, fulfilment: "counter" });
  const pages = plan.sides * (plan.copies || 1);
  const promisedAt = usePromise(shop._id, pages || 1);
  const late = lateAtCounter(shop.shopName, { promisedAt, endsAt, now: new Date() });
  const obstacle = late ?? findObstacle(shop, plan, states) ?? findUnchecked(draft.files);
  const wrongPages = findWrongPages(draft.files);
  const utils = trpc.useUtils();
  const takeOffOrdered = useTakeOffOrdered(store);
  const order = trpc.visits.place.useMutation({
    retry: resendUnanswered,
    onSuccess: async ({ _id }, { orderData: { filesUrl } }) => {
      onPlaced(_id);
      clearDraft(store, ({ uploaded }) => uploaded !== null && filesUrl.includes(uploaded.url));
      await utils.visits.page.invalidate({ shopId: shop._id });
      window.scrollTo({ top: 0 });
    },
    onError: (error) => {
      showError({ title: FAILURE.order, text: messageOf(error) });
      const code = codeOf(error);
      if (code === "UNAUTHENTICATED") return onVisitOver();
      void utils.shops.byId.invalidate();
      void utils.visits.page.invalidate({ shopId: shop._id });
      if (code !== "CONFLICT") return;
      // An earlier press may have placed it with other details. Nothing is ordered twice, as each file can be in one order only.
      change({ orderKey: randomKey() });
      void takeOffOrdered();
    },
  });

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { pages, copies, quote, files, jobs } = plan;
    const options = jobs[0]?.options;
    setNameMissing(name.trim() === "");
    if (obstacle) return;
    if (wrongPages || !pages || !copies || !options || !quote || name.trim() === "") {
      // An empty name has no error before this press.
      if (!focusFirstWrong()) event.currentTarget.querySelector<HTMLElement>("input[name=name]")?.focus();
      return;
    }
    order.mutate({
      name: name.trim(),
      idempotencyKey: draft.orderKey,
      orderData: toOrderData({ shop, userEmail: "", draft, pages, copies, options, quote }),
      orderValue: orderValueOf(quote),
      ...jobsField(toJobs(files, jobs)),
    });
  }

  return (
    <>
      <HiddenUntilRead userId={owner} shopId={shop._id} isRead={isRead} />
      {isAnother && <h2 className={classes.another}>Another order</h2>}
      <OrderColumns
        price={
          <PricePanel
            quote={plan.quote}
            copies={plan.copies || 1}
            fulfilment="counter"
            placeholder="Add a file to see the price."
            promise={<PromiseLine shopId={shop._id} pages={pages} />}
            note={obstacle ?? wrongPages ?? goneNote(shop, draft, plan) ?? leftOutNote(states)}
            action={
              late ? (
                <LinkButton to="/printnow" search={{ id: shop._id }} size="md" fullWidth>
                  Log in and order
                </LinkButton>
              ) : (
                <Button
                  type="submit"
                  form={formId}
                  size="md"
                  fullWidth
                  disabled={obstacle !== null}
                  loading={order.isPending}
                  aria-describedby={PRICE_NOTE_ID}
                  onClick={ignoreSecondPress}
                >
                  Send to the counter
                </Button>
              )
            }
          />
        }
      >
        <FilesCard
          chosen={chosen}
          files={draft.files}
          pages={plan.pages || "all"}
          order={{ shop, options: plan.options }}
        />
        <form id={formId} className={classes.form} noValidate onSubmit={send}>
          <Card title="Your name">
            <TextInput
              size="md"
              name="name"
              label="Name to call out"
              description={isAnother ? "The same for all your orders here" : "A first name is enough"}
              placeholder="For example Meera"
              autoComplete="given-name"
              maxLength={MAX_VISITOR_NAME}
              required
              withAsterisk={false}
              value={name}
              error={isNameMissing && name.trim() === "" && "Your name is required"}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          </Card>
          <Card title="Print options">
            <PrintOptions shop={shop} draft={draft} plan={plan} change={change} />
          </Card>
        </form>
      </OrderColumns>
    </>
  );
}

/** The typed name, which survives a reload. */
function useVisitorName(owner: string, knownName: string, isRead: boolean) {
  const key = `visitor-name:${owner}`;
  const [typed, setTyped] = useState<string | null>(null);
  const stored = isRead && ownItems.get(key);
  return {
    name: typed ?? (String(stored || "") || knownName),
    setName(name: string) {
      setTyped(name);
      ownItems.set(key, name);
    },
  };
}
