import { Button, Group, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { comparePriceLists, type PriceLists } from "#shared/price-list.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ChangeList } from "./change-list.tsx";
import type { IncomingLists } from "./price-files.ts";
import { type Missing, mergeByName } from "./price-merge.ts";

interface IncomingChoiceProps {
  /** As typed now. */
  lists: PriceLists;
  incoming: IncomingLists;
  onApply: (lists: PriceLists) => void;
  onClose: () => void;
}

const CHOICES: Record<Missing, string> = {
  off: "are switched off",
  keep: "stay as they are",
  remove: "are removed",
};

/** Previews imported lists, and asks what to do with options that they do not contain. */
export function IncomingChoice({ lists, incoming, onApply, onClose }: IncomingChoiceProps) {
  const [missing, setMissing] = useState<Missing>("off");
  const merged = mergeByName(lists, incoming, missing);
  const changes = comparePriceLists(lists, merged);
  return (
    <Stack gap="md">
      <Radio.Group
        label="Options that are only in this price list"
        value={missing}
        onChange={(value) => setMissing(value as Missing)}
      >
        <Group mt={4}>
          {Object.entries(CHOICES).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      <ScrollBox label="What changes">
        <ChangeList changes={changes} />
      </ScrollBox>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={changes.length === 0} onClick={() => onApply(merged)}>
          Apply to the price list
        </Button>
      </Group>
    </Stack>
  );
}
