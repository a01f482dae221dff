import { ActionIcon, Alert, Button, Group, Popover, ScrollArea, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { TbPackageOff } from "react-icons/tb";
import type { StockOption } from "#server/orders/stock/stock.service.ts";
import { counted } from "#shared/format.ts";
import { OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useCurrentShop } from "../../lib/current-shop.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";

/** Paper first: it is what runs out. */
const KINDS: OptionKind[] = [
  "paperTypes",
  "paperSizes",
  "bindingOptions",
  "coverOptions",
  "printedColours",
  "printingSides",
];

/** Marks what the shop has run out of, from anywhere in the console: open, switch. */
export function StockMenu() {
  const shops = trpc.staff.myShops.useQuery().data ?? [];
  const chosen = useCurrentShop();
  const shopId = chosen ?? (shops.length === 1 ? shops[0]?.id : undefined);
  return (
    <Popover position="bottom-end" width={340} withinPortal={false} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" c="var(--ink)" size="lg" aria-label="Something has run out">
          <TbPackageOff size={20} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
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
                  <StockRow key={option.id} shopId={shopId} option={option} />
                ))}
            </Stack>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

/** One option with its switch, the orders that wait for it, and the warning about the last one of its list. */
function StockRow({ shopId, option }: { shopId: string; option: StockOption }) {
  const { stock, board } = trpc.useUtils();
  const [warning, setWarning] = useState("");
  const { id: optionId, name, isOut, waiting } = option;
  const setOut = trpc.stock.setOut.useMutation({
    onSuccess: () => setWarning(""),
    onError: (error) => (error.data?.appCode === "CONFLICT" ? setWarning(error.message) : showFailure(error)),
    onSettled: () => stock.list.invalidate({ shopId }),
  });
  const ask = trpc.stock.ask.useMutation({
    onSuccess: ({ held }) =>
      showDone(`${counted(held, "order")} put on hold. The students are asked by email`),
    onError: showFailure,
    onSettled: () => Promise.all([stock.list.invalidate({ shopId }), board.invalidate()]),
  });
  return (
    <Stack gap={4}>
      <Switch
        label={isOut ? `${name}: out for now` : name}
        checked={!isOut}
        disabled={setOut.isPending}
        onChange={() => setOut.mutate({ shopId, optionId, isOut: !isOut })}
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
                Mark it out anyway
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setWarning("")}>
                Keep it
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {isOut && waiting > 0 && (
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Text size="sm">{counted(waiting, "order")} waiting for it</Text>
          <Button
            size="compact-sm"
            variant="default"
            loading={ask.isPending}
            onClick={(event) => {
              ignoreSecondPress(event);
              ask.mutate({ shopId, optionId });
            }}
          >
            Ask the students
          </Button>
        </Group>
      )}
    </Stack>
  );
}
