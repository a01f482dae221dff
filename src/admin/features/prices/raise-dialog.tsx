import { Button, Group, Modal, NativeSelect, NumberInput, Stack } from "@mantine/core";
import { useState } from "react";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { comparePriceLists, type PriceLists } from "#shared/price-list.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ChangeList } from "./change-list.tsx";
import { raisePrices } from "./price-raise.ts";

interface DialogProps {
  /** As typed now. */
  lists: PriceLists;
  onApply: (lists: PriceLists) => void;
  onClose: () => void;
}

const ALL = "all";
const LISTS = [
  { value: ALL, label: "All lists" },
  ...OPTION_KINDS.map((kind) => ({ value: kind, label: OPTION_FIELDS[kind].label })),
];
const STEPS = [
  { value: "1", label: "1 paisa" },
  { value: "5", label: "5 paise" },
  { value: "10", label: "10 paise" },
  { value: "50", label: "50 paise" },
  { value: "100", label: "whole rupees" },
];

/** Raises or lowers prices of a list by a percentage, with a preview. */
export function RaiseDialog({ lists, onApply, onClose }: DialogProps) {
  const [list, setList] = useState(ALL);
  const [percent, setPercent] = useState<string | number>(10);
  const [step, setStep] = useState("5");
  const kinds = list === ALL ? OPTION_KINDS : [list as OptionKind];
  const raised = raisePrices(lists, { kinds, percent: Number(percent) || 0, step: Number(step) });
  const changes = comparePriceLists(lists, raised);

  return (
    <Modal opened onClose={onClose} title="Raise prices" size="lg">
      <Stack gap="md">
        <Group grow align="flex-start">
          <NativeSelect
            label="List"
            data={LISTS}
            value={list}
            onChange={(e) => setList(e.currentTarget.value)}
          />
          <NumberInput
            label="Percent"
            description="Below 0 lowers prices"
            inputWrapperOrder={["label", "input", "description"]}
            min={-100}
            max={1000}
            decimalScale={2}
            value={percent}
            onChange={setPercent}
            data-autofocus
          />
          <NativeSelect
            label="Rounded to"
            data={STEPS}
            value={step}
            onChange={(e) => setStep(e.currentTarget.value)}
          />
        </Group>
        <ScrollBox label="What changes">
          <ChangeList changes={changes} />
        </ScrollBox>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={changes.length === 0} onClick={() => onApply(raised)}>
            Change the prices
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
