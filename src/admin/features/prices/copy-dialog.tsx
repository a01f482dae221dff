import { Alert, Checkbox, Group, Modal, NativeSelect, Stack } from "@mantine/core";
import { skipToken } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { IncomingChoice } from "./incoming-choice.tsx";

interface CopyDialogProps {
  shopId: string;
  lists: PriceLists;
  onApply: (lists: PriceLists) => void;
  onClose: () => void;
}

/** Takes lists of another of the person's shops into the editor. */
export function CopyDialog({ shopId, lists, onApply, onClose }: CopyDialogProps) {
  const [source, setSource] = useState("");
  const [kinds, setKinds] = useState<string[]>([...OPTION_KINDS]);
  const shops = trpc.staff.myShops.useQuery();
  const prices = trpc.prices.get.useQuery(source ? { shopId: source } : skipToken);
  const incoming = prices.data && pick(prices.data.lists, kinds);

  return (
    <Modal opened onClose={onClose} title="Copy from another shop" size="lg">
      <Stack gap="md">
        <NativeSelect
          label="Shop"
          value={source}
          onChange={(event) => setSource(event.currentTarget.value)}
          data={[
            { value: "", label: "Choose a shop", disabled: true },
            ...(shops.data ?? [])
              .filter(({ id }) => id !== shopId)
              .map(({ id, name, location }) => ({ value: id, label: `${name}, ${location}` })),
          ]}
          data-autofocus
        />
        <Checkbox.Group label="Lists" value={kinds} onChange={setKinds}>
          <Group mt={4}>
            {OPTION_KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={OPTION_FIELDS[kind].label} />
            ))}
          </Group>
        </Checkbox.Group>
        {prices.error && <Alert color="red">{messageOf(prices.error)}</Alert>}
        {incoming && <IncomingChoice lists={lists} incoming={incoming} onApply={onApply} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

function pick(lists: PriceLists, kinds: string[]): Partial<PriceLists> {
  const chosen = OPTION_KINDS.filter((kind) => kinds.includes(kind));
  return Object.fromEntries(chosen.map((kind: OptionKind) => [kind, lists[kind]]));
}
