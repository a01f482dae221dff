import {
  Button,
  Group,
  Loader,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { counted } from "#shared/format.ts";
import { formatPaise, toRupees } from "#shared/money.ts";
import { mapKinds, namesByField, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { MAX_COPIES, MAX_FILES, TOO_MANY_FILES } from "#shared/order-limits.ts";
import { orderValueOf, priceJob } from "#shared/pricing.ts";
import type { UploadedFile } from "#shared/schemas/files.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import { MAX_VISITOR_NAME } from "#shared/visits.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { codeOf, detailsOf, messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import TbPlus from "~icons/tabler/plus";
import { fetchAsStaff } from "../../lib/console-link.ts";
import { showDone } from "../../lib/notices.tsx";
import { useCheckSession } from "../../lib/session.ts";
import { LeaveDialog, LeaveGuard } from "../../ui/leave-guard.tsx";
import { METHODS } from "../order/order-labels.ts";
import classes from "./walk-in.module.css";

/** The button for an order of somebody at the counter, with its form. */
export function WalkIn({
  shopId,
  onPlaced,
}: {
  shopId: string | undefined;
  onPlaced: (orderId: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  // Mantine's own dialog: the form knows whether Back may close it.
  return (
    <>
      <Button
        variant="default"
        leftSection={<TbPlus size={16} />}
        disabled={shopId === undefined}
        title={shopId === undefined ? "Choose one shop at the top first" : undefined}
        onClick={pressOnce(() => setOpen(true))}
      >
        New order
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title="New order at the counter"
        size="lg"
      >
        {shopId !== undefined && (
          <WalkInAtShop shopId={shopId} onClose={() => setOpen(false)} onPlaced={onPlaced} />
        )}
      </Modal>
    </>
  );
}

interface WalkInAtShopProps {
  shopId: string;
  onClose: () => void;
  onPlaced: (orderId: string) => void;
}

/** The form, once it is known what the shop has now: an option that has run out is not proposed. */
function WalkInAtShop({ shopId, ...on }: WalkInAtShopProps) {
  const shop = trpc.shops.byId.useQuery({ id: shopId }, { staleTime: 0 });
  return (
    <>
      {shop.error && <Text role="alert">{messageOf(shop.error)}</Text>}
      {!shop.isFetchedAfterMount && <Loader aria-label="Loading" />}
      {shop.isFetchedAfterMount && shop.data && <WalkInForm shop={shop.data} {...on} />}
    </>
  );
}

interface Upload {
  key: string;
  file: File;
  state:
    | { kind: "sending" }
    | { kind: "ready"; id: string; url: string; pages: number }
    /** It needs its password; `why` says so, or that the last one was wrong. */
    | { kind: "locked"; why: string }
    | { kind: "failed"; why: string };
}

interface WalkInFormProps extends Omit<WalkInAtShopProps, "shopId"> {
  shop: Shop;
}

function WalkInForm({ shop, onClose, onPlaced }: WalkInFormProps) {
  const utils = trpc.useUtils();
  const isSent = useRef(false);
  const { uploads, add, unlock, remove } = useUploads(isSent);
  const [chosen, setChosen] = useState(() => firstLeft(shop));
  const [copies, setCopies] = useState<string | number>(1);
  const [name, setName] = useState("");
  const [paid, setPaid] = useState<PaymentMethod | "later">("cash");
  const [missing, setMissing] = useState<Problem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  /** One order, however often it is sent. */
  const [key] = useState(randomKey);
  const place = trpc.visits.walkIn.useMutation({
    onSuccess: ({ orderNumber }) => {
      showDone(`Order ${orderNumber} is entered. Print it now`);
      return utils.board.invalidate();
    },
    onError: async (error) => {
      isSent.current = false;
      if (codeOf(error) !== null) await utils.shops.byId.invalidate();
    },
  });

  const isBegun = name !== "" || uploads.length > 0;
  const [isLeaving, setLeaving] = useState(false);
  // What was begun is left only after a question.
  useBackCloses(!isLeaving, () => (isBegun ? setLeaving(true) : onClose()));
  const isLate = detailsOf(place.error).isLate === true;
  const options = optionsOf(shop, chosen);
  const ready = uploads.flatMap(({ state }) => (state.kind === "ready" ? [state] : []));
  const isSending = uploads.some(({ state }) => state.kind === "sending");
  const pages = ready.map((file) => file.pages);
  const count = Number(copies);
  const quote =
    options && ready.length > 0 && Number.isInteger(count) && count >= 1
      ? priceJob({ pages, copies: count, options, fulfilment: "counter" })
      : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    const problem = problemOf({ uploads, isSending, name, options, copies: count });
    setMissing(problem);
    if (problem?.field) form.current?.querySelector<HTMLElement>(`[name=${problem.field}]`)?.focus();
    if (problem || !options || !quote || place.isPending) return;
    isSent.current = true;
    place.mutate(
      {
        shopId: shop._id,
        key,
        name: name.trim(),
        // Once it was told.
        isLateAccepted: isLate,
        ...(paid !== "later" &&
          quote.totalPaise > 0 && {
            payment: { method: paid, amountPaise: quote.totalPaise },
          }),
        orderData: {
          shopId: shop._id,
          shopName: shop.shopName,
          shopLocation: shop.shopLocation,
          shopEmail: shop.email,
          shopContactNumber: shop.contactNumber,
          noOfPages: pages.reduce((sum, each) => sum + each, 0),
          noOfCopies: count,
          ...namesByField(options),
          message: "",
          userEmail: "",
          filesUrl: ready.map(({ url }) => url),
          subTotal: toRupees(quote.subTotalPaise),
        },
        orderValue: orderValueOf(quote),
      },
      // Not once the form is closed: the next order may be typed.
      {
        onSuccess({ _id }) {
          onClose();
          onPlaced(_id);
        },
      },
    );
  }

  const errorOf = (field: NonNullable<Problem["field"]>) => ({
    name: field,
    error: missing?.field === field && missing.text,
    errorProps: { role: "alert" },
  });
  const problem = missing ? !missing.field && missing.text : place.error && messageOf(place.error);
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {/* It lies over the board, whatever the board shows of this shop. */}
      <LeaveGuard active={isBegun} of={(search) => "shop" in search && search.shop} />
      <LeaveDialog opened={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
      <Stack gap="md">
        <TextInput
          label="Name to call out"
          data-autofocus
          // The dialog is open before its shop is known, and then has its focus on the button that closes it.
          autoFocus
          maxLength={MAX_VISITOR_NAME}
          {...errorOf("name")}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Stack gap="xs">
          <FileButton multiple accept="application/pdf,.pdf" onChange={add}>
            {(props) => (
              <Button variant="default" {...props}>
                Choose PDFs on this device
              </Button>
            )}
          </FileButton>
          {uploads.length > 0 && (
            <ul className={classes.files} aria-label="Files">
              {uploads.map((file) => (
                <li key={file.key}>
                  <span className={classes.name}>{file.file.name}</span>
                  <FileState state={file.state} />
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Remove ${file.file.name}`}
                    onClick={pressOnce(() => remove(file.key))}
                  >
                    Remove
                  </Button>
                  {file.state.kind === "locked" && (
                    <PasswordField name={file.file.name} onEnter={(password) => unlock(file, password)} />
                  )}
                </li>
              ))}
            </ul>
          )}
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {OPTION_KINDS.map((kind) => (
            <Select
              key={kind}
              label={OPTION_FIELDS[kind].label}
              allowDeselect={false}
              data={shop[kind].map((option) => ({
                value: option._id,
                label: option.isOut ? `${option.name} · out of stock` : option.name,
                disabled: option.isOut === true,
              }))}
              value={chosen[kind] ?? null}
              onChange={(id) => id && setChosen((before) => ({ ...before, [kind]: id }))}
            />
          ))}
        </SimpleGrid>
        <Group align="end" gap="md">
          <NumberInput
            label="Copies"
            {...errorOf("copies")}
            w={110}
            min={1}
            max={MAX_COPIES}
            allowDecimal={false}
            value={copies}
            onChange={setCopies}
          />
          <SegmentedControl
            aria-label="Paid"
            data={[...METHODS, { value: "later", label: "Pays later" }]}
            value={paid}
            onChange={setPaid}
          />
        </Group>
        {problem && (
          <Text role="alert" c="var(--bad)">
            {problem}
          </Text>
        )}
        <Group justify="space-between">
          <Text fw={700} size="lg" role="status">
            {quote ? formatPaise(quote.totalPaise) : "Choose a file to see the price"}
          </Text>
          <Button type="submit" loading={place.isPending} disabled={isSending} onClick={ignoreSecondPress}>
            {isLate ? "Enter it all the same" : "Enter order"}
            {quote && paid !== "later" && `, ${formatPaise(quote.totalPaise)} paid`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function FileState({ state }: { state: Upload["state"] }) {
  if (state.kind === "sending") return <Loader size="xs" aria-label="Uploading" />;
  if (state.kind === "ready") return <span>{counted(state.pages, "page")}</span>;
  return (
    <Text span role="alert" c="var(--bad)" size="sm" className={classes.why}>
      {state.why}
    </Text>
  );
}

/** Asks for the password of a locked file. It is used once and kept nowhere. Not a form: it stands in one. */
function PasswordField({ name, onEnter }: { name: string; onEnter: (password: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  const enter = () => {
    if (field.current?.value) onEnter(field.current.value);
  };
  return (
    <Group gap="xs" className={classes.why}>
      <TextInput
        ref={field}
        type="password"
        flex={1}
        aria-label={`Password of ${name}`}
        placeholder="Password of this file"
        autoComplete="off"
        maxLength={255}
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // The order is not sent by it.
          event.preventDefault();
          enter();
        }}
      />
      <Button variant="default" aria-label={`Unlock ${name}`} onClick={enter}>
        Unlock
      </Button>
    </Group>
  );
}

interface Problem {
  /** The field that it is about, if it is about one. */
  field?: "name" | "copies";
  text: string;
}

/** What is missing before the order can be entered; null if nothing is. */
function problemOf({
  uploads,
  isSending,
  name,
  options,
  copies,
}: {
  uploads: Upload[];
  isSending: boolean;
  name: string;
  options: unknown;
  copies: number;
}): Problem | null {
  if (name.trim() === "") return { field: "name", text: "Please enter the name to call out" };
  if (isSending) return { text: "A file is still being uploaded" };
  if (uploads.length === 0) return { text: "Please choose a file" };
  if (uploads.some(({ state }) => state.kind === "locked")) {
    return { text: "Please enter the password of the locked file, or remove it" };
  }
  if (uploads.some(({ state }) => state.kind === "failed")) {
    return { text: "Please remove the file that could not be read" };
  }
  if (uploads.length > MAX_FILES) return { text: TOO_MANY_FILES };
  if (!options) {
    return { text: "Please choose an option in every list: what is out of stock cannot be ordered" };
  }
  if (!Number.isInteger(copies) || copies < 1 || copies > MAX_COPIES) {
    return { field: "copies", text: `Copies must be a whole number from 1 to ${MAX_COPIES}` };
  }
  return null;
}

/** The id of an option of each list; undefined where the shop had none left. */
type Chosen = Record<OptionKind, string | undefined>;

/** The first option of each list that the shop has. */
function firstLeft(shop: Shop): Chosen {
  return mapKinds((kind) => shop[kind].find(({ isOut }) => !isOut)?._id);
}

/** The chosen options, also those that have run out since; null if one is missing. */
function optionsOf(shop: Shop, chosen: Chosen): Record<OptionKind, ShopOption> | null {
  const picked = mapKinds((kind) => shop[kind].find(({ _id }) => _id === chosen[kind]));
  return Object.values(picked).includes(undefined) ? null : (picked as Record<OptionKind, ShopOption>);
}

/**
 * Uploads files at once when they are chosen. One that is removed, or left in a form that is closed, is deleted, unless the order
 * was sent: it may have been placed.
 */
function useUploads(isSent: RefObject<boolean>) {
  const checkSession = useCheckSession();
  const utils = trpc.useUtils();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const shown = useRef<Upload[]>([]);
  const change = (next: Upload[]) => {
    shown.current = next;
    setUploads(next);
  };
  const settle = (key: string, state: Upload["state"]) =>
    change(shown.current.map((file) => (file.key === key ? { ...file, state } : file)));
  const forget = (state: Upload["state"] | undefined) => {
    // Where that fails, it is deleted within a day.
    if (state?.kind === "ready") utils.client.files.remove.mutate({ id: state.id }).catch(() => {});
  };
  const find = (key: string) => shown.current.find((file) => file.key === key);
  const send = (key: string, file: File, password?: string) =>
    upload(file, password, checkSession).then(
      (state) => (find(key) ? settle(key, state) : forget(state)),
      () => settle(key, { kind: "failed", why: "The connection was lost. Please choose it again" }),
    );
  const close = useEffectEvent(() => {
    if (!isSent.current) for (const { state } of shown.current) forget(state);
    shown.current = [];
  });
  useEffect(() => () => close(), []);
  return {
    uploads,
    add(files: File[]) {
      for (const file of files) {
        const key = randomKey();
        change([...shown.current, { key, file, state: { kind: "sending" } }]);
        void send(key, file);
      }
    },
    unlock({ key, file }: Upload, password: string) {
      settle(key, { kind: "sending" });
      void send(key, file, password);
    },
    remove(key: string) {
      forget(find(key)?.state);
      change(shown.current.filter((file) => file.key !== key));
    },
  };
}

/** With a password, too many tries are told in its field as well. */
const ASKS_PASSWORD = ["PASSWORD_REQUIRED", "WRONG_PASSWORD"];

async function upload(
  file: File,
  password: string | undefined,
  checkSession: () => Promise<boolean>,
): Promise<Upload["state"]> {
  const form = new FormData();
  form.set("upload_preset", "documents");
  if (password) form.set("password", password);
  form.set("file", file, file.name);
  const response = await fetchAsStaff("/api/v1/uploads", { method: "POST", body: form, checkSession });
  const body: Partial<UploadedFile> & { message?: string; code?: string } = await response.json();
  const { public_id: id, secure_url: url, pages = 1 } = body;
  if (response.ok && id && url) return { kind: "ready", id, url, pages };
  const why = body.message ?? "The file could not be saved. Please try again";
  const asks = ASKS_PASSWORD.includes(body.code ?? "") || (password && body.code === "RATE_LIMITED");
  return { kind: asks ? "locked" : "failed", why };
}
