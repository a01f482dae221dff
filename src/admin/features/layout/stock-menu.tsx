import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Indicator,
  NativeSelect,
  Popover,
  ScrollArea,
  Stack,
  Switch,
  Text,
} from "@mantine/core";
import { useRef, useState } from "react";
import type { StockOption } from "#server/orders/holds/stock.service.ts";
import { counted } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind, PER_BASIS } from "#shared/options.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { pressOnce } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import TbPackageOff from "~icons/tabler/package-off";
import { useOneShop } from "../../lib/my-shops.ts";
import { showDone, showFailure, showRefusals } from "../../lib/notices.tsx";

/** What runs out, paper before all. */
const FIRST: OptionKind[] = ["paperTypes", "paperSizes", "bindingOptions", "coverOptions"];
const KINDS = [...new Set([...FIRST, ...OPTION_KINDS])];

/** Marks what the shop has run out of, from anywhere in the console: open, switch. */
export function StockMenu() {
  const shopId = useOneShop();
  const { data = [] } = trpc.stock.list.useQuery({ shopId: shopId ?? "" }, { enabled: shopId !== undefined });
  const out = data.filter(({ isOut }) => isOut).length;
  const [opened, setOpened] = useState(false);
  useBackCloses(opened, () => setOpened(false));
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Indicator
        disabled={out === 0}
        label={out}
        size={16}
        offset={7}
        zIndex={1}
        color="var(--accent)"
        styles={{ indicator: { pointerEvents: "none", color: "var(--on-accent)", fontWeight: 600 } }}
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="var(--ink)"
            size="lg"
            onClick={() => setOpened(!opened)}
            aria-label={`Something has run out${out > 0 ? `: ${counted(out, "option")} switched off` : ""}`}
          >
            <TbPackageOff size={20} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label="Something has run out">
        {shopId ? (
          <StockList shopId={shopId} />
        ) : (
          <Text>Choose one shop at the top first, to mark what it has run out of.</Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function StockList({ shopId }: { shopId: string }) {
  const { data, error } = trpc.stock.list.useQuery({ shopId }, { staleTime: 0 });
  if (error) return <Text role="alert">{messageOf(error)}</Text>;
  if (!data) return <Text role="status">Loading…</Text>;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Switch off what has run out: nobody can order it until you switch it on again.
      </Text>
      <ScrollArea.Autosize mah="65vh" type="auto" scrollbars="y" offsetScrollbars>
        <Stack gap="md">
          {KINDS.map((kind) => (
            <Stack key={kind} gap="xs" role="group" aria-label={OPTION_FIELDS[kind].label}>
              <Text fw={600} size="sm">
                {OPTION_FIELDS[kind].label}
              </Text>
              {data
                .filter((option) => option.kind === kind)
                .map((option) => (
                  <StockRow key={option.id} shopId={shopId} option={option} options={data} />
                ))}
            </Stack>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

interface StockRowProps {
  shopId: string;
  option: StockOption;
  /** All options of the shop. */
  options: StockOption[];
}

/** One option with its switch, the orders that wait for it, and the warning about the last one of its list. */
function StockRow({ shopId, option, options }: StockRowProps) {
  const { stock } = trpc.useUtils();
  const [warning, setWarning] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { id: optionId, name, isOut, waiting } = option;
  /** The buttons below it go, one of which may have the focus. */
  const focusSwitch = () => field.current?.focus();
  function endWarning() {
    setWarning("");
    focusSwitch();
  }
  const setOut = trpc.stock.setOut.useMutation({
    onSuccess: () => warning && endWarning(),
    onError: (error) => (codeOf(error) === "CONFLICT" ? setWarning(messageOf(error)) : showFailure(error)),
    onSettled: () => stock.list.invalidate({ shopId }),
  });
  return (
    <Stack gap={4}>
      {/* Not `disabled`, which would lose the focus. */}
      <Switch
        ref={field}
        label={isOut ? `${name}: out of stock` : name}
        checked={!isOut}
        onChange={() => {
          if (!setOut.isPending) setOut.mutate({ shopId, optionId, isOut: !isOut });
        }}
      />
      {warning && !isOut && (
        <Alert color="red" p="xs">
          <Stack gap="xs">
            <Text size="sm">{warning}</Text>
            <Group gap="xs">
              <Button
                size="compact-sm"
                color="red"
                loading={setOut.isPending}
                onClick={() => setOut.mutate({ shopId, optionId, isOut: true, isLastAccepted: true })}
              >
                Mark it out of stock anyway
              </Button>
              <Button size="compact-sm" variant="default" onClick={endWarning}>
                Keep it
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {isOut && waiting > 0 && (
        <WaitingOrders shopId={shopId} option={option} options={options} onDone={focusSwitch} />
      )}
    </Stack>
  );
}

/** How people learn of it; nobody at the counter has given an address. */
function toldText(byMail: number, mailText: string, atCounter: number): string {
  const there = `${atCounter} at the counter: please tell them yourself`;
  return [byMail > 0 && mailText, atCounter > 0 && there].filter(Boolean).join(". ");
}

/** The orders that wait for an option that is out: change them to another one, or ask their students. */
function WaitingOrders({ shopId, option, options, onDone }: StockRowProps & { onDone: () => void }) {
  const { stock, board } = trpc.useUtils();
  const others = options.filter(({ id, kind, isOut }) => kind === option.kind && id !== option.id && !isOut);
  const [chosenId, setChosenId] = useState(nearest(option, others)?.id);
  const [dearer, setDearer] = useState(0);
  const onSettled = () => Promise.all([stock.list.invalidate({ shopId }), board.invalidate()]);
  const ask = trpc.stock.ask.useMutation({
    onSuccess: ({ held, atCounter, refusals }) => {
      onDone();
      if (held > 0) {
        const told = toldText(held - atCounter, "An email asks each student", atCounter);
        showDone(`${counted(held, "order")} put on hold. ${told}`);
      }
      showRefusals(refusals);
    },
    onError: showFailure,
    onSettled,
  });
  const change = trpc.stock.change.useMutation({
    onSuccess: ({ changed, atCounter, dearer, refusals }) => {
      setDearer(dearer);
      if (changed > 0) {
        onDone();
        const told = toldText(changed - atCounter, "An email tells each student", atCounter);
        showDone(`${counted(changed, "order")} changed. ${told}`);
      }
      showRefusals(refusals);
    },
    onError: showFailure,
    onSettled,
  });
  const canChange = option.waiting > option.printing;
  const chosen = canChange ? (others.find(({ id }) => id === chosenId) ?? others[0]) : undefined;
  return (
    <Stack gap="xs" pl="md">
      <Text size="sm">
        {counted(option.waiting, "order")} waiting for it
        {option.printing > 0 && `, ${option.printing} being printed already`}
      </Text>
      {chosen && (
        <NativeSelect
          label="Print with"
          value={chosen.id}
          data={others.map(({ id, name, pricePaise, basis }) => ({
            value: id,
            label: `${name} · ${formatPaise(pricePaise)} ${PER_BASIS[basis]}`,
          }))}
          onChange={(event) => {
            setChosenId(event.currentTarget.value);
            setDearer(0);
          }}
        />
      )}
      {dearer > 0 && (
        <Text size="sm" role="status">
          {counted(dearer, "order")} would cost more with it. Choose another one, or ask.
        </Text>
      )}
      <Group gap="xs" grow>
        {chosen && (
          <Button
            size="compact-sm"
            loading={change.isPending}
            onClick={pressOnce(() => change.mutate({ shopId, optionId: option.id, toOptionId: chosen.id }))}
          >
            Change
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={ask.isPending}
          onClick={pressOnce(() => ask.mutate({ shopId, optionId: option.id }))}
        >
          Put on hold and ask
        </Button>
      </Group>
    </Stack>
  );
}

/** The best of the options that are not dearer; otherwise the cheapest. */
function nearest({ pricePaise }: StockOption, others: StockOption[]): StockOption | undefined {
  const byPrice = others.toSorted((a, b) => a.pricePaise - b.pricePaise);
  return byPrice.findLast((other) => other.pricePaise <= pricePaise) ?? byPrice[0];
}
