import {
  Alert,
  Button,
  Checkbox,
  Group,
  List,
  NativeSelect,
  NumberInput,
  Radio,
  Select,
  Stack,
  Text,
} from "@mantine/core";
import { skipToken } from "@tanstack/react-query";
import { useState } from "react";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { comparePriceLists, type PriceLists } from "#shared/price-list.ts";
import { messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { trpc } from "#ui/trpc.ts";
import TbChevronDown from "~icons/tabler/chevron-down";
import { useShopChoices } from "../../lib/my-shops.ts";
import { showRefusal } from "../../lib/notices.tsx";
import { readTextFile, saveTextFile, UNREADABLE } from "../../lib/text-files.ts";
import { Menu } from "../../ui/menu.tsx";
import { Modal } from "../../ui/modal.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { ChangeList } from "./change-list.tsx";
import {
  type FileIssue,
  type IncomingLists,
  type ReadPrices,
  readPriceCsv,
  readPriceJson,
  writePriceCsv,
  writePriceJson,
} from "./price-files.ts";
import { type Missing, mergeByName, raisePrices } from "./price-list-changes.ts";

interface PriceToolsProps {
  shopId: string;
  /** As typed now, each entry with an id. */
  lists: PriceLists;
  /** Whether a cell is invalid: whole lists are changed only if all cells are valid. */
  hasIssues: boolean;
  onReplace: (lists: PriceLists) => void;
}

const TITLES = { raise: "Raise prices", copy: "Copy from another shop", import: "Import prices" };
type Tool = keyof typeof TITLES;

/** Actions on whole lists. Nothing is saved until the person saves. */
export function PriceTools({ shopId, lists, hasIssues, onReplace }: PriceToolsProps) {
  const [tool, setTool] = useState<Tool | null>(null);
  const close = () => setTool(null);
  const form = {
    lists,
    onClose: close,
    onApply: (next: PriceLists) => {
      onReplace(next);
      close();
    },
  };

  function choose(next: Tool) {
    if (hasIssues) showRefusal("Correct the cells in red first");
    else setTool(next);
  }

  return (
    <Group gap="xs">
      <Button size="xs" variant="default" onClick={() => choose("raise")}>
        Raise prices
      </Button>
      <Button size="xs" variant="default" onClick={() => choose("copy")}>
        Copy from a shop
      </Button>
      <Button size="xs" variant="default" onClick={() => choose("import")}>
        Import
      </Button>
      <Menu position="bottom-start" withinPortal={false}>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<TbChevronDown size={14} />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => saveTextFile(`${shopId}-prices.csv`, "text/csv", writePriceCsv(lists))}>
            CSV, for a spreadsheet
          </Menu.Item>
          <Menu.Item
            onClick={() => saveTextFile(`${shopId}-prices.json`, "application/json", writePriceJson(lists))}
          >
            JSON
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={tool !== null} onClose={close} title={tool && TITLES[tool]} size="lg">
        <Stack gap="md">
          {tool === "raise" && <RaiseForm {...form} />}
          {tool === "copy" && <CopyForm shopId={shopId} {...form} />}
          {tool === "import" && <ImportForm {...form} />}
        </Stack>
      </Modal>
    </Group>
  );
}

interface FormProps {
  /** As typed now. */
  lists: PriceLists;
  onApply: (lists: PriceLists) => void;
  onClose: () => void;
}

/** Copies lists of another shop into the editor. */
function CopyForm({ shopId, lists, onApply, onClose }: FormProps & { shopId: string }) {
  const [source, setSource] = useState<string | null>(null);
  const [kinds, setKinds] = useState<string[]>([...OPTION_KINDS]);
  const choices = useShopChoices();
  const prices = trpc.prices.get.useQuery(source ? { shopId: source } : skipToken);
  const incoming = prices.data && pick(prices.data.lists, kinds);

  return (
    <>
      <Select
        label="Shop"
        placeholder="Choose a shop"
        value={source}
        onChange={setSource}
        {...choices}
        data={choices.data.filter(({ value }) => value !== shopId)}
        openOnFocus={false}
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
    </>
  );
}

function pick(lists: PriceLists, kinds: string[]): Partial<PriceLists> {
  const chosen = OPTION_KINDS.filter((kind) => kinds.includes(kind));
  return Object.fromEntries(chosen.map((kind: OptionKind) => [kind, lists[kind]]));
}

/** Imports a CSV or JSON file into the editor. A file with an error is rejected as a whole. */
function ImportForm({ lists, onApply, onClose }: FormProps) {
  const [name, setName] = useState("");
  const [read, setRead] = useState<ReadPrices | null>(null);

  async function take(file: File | null) {
    if (!file) return;
    const text = await readTextFile(file).catch(() => null);
    if (text === null) return showRefusal(UNREADABLE);
    setName(file.name);
    setRead(/^\s*[{[]/.test(text) ? readPriceJson(text) : readPriceCsv(text));
  }

  return (
    <>
      <Text>
        A file in the format of the export: CSV with the columns List, Option, Price, Per, Sides, Ink and On,
        or JSON. Lists that are not in the file stay unchanged. Nothing is saved until you save.
      </Text>
      <Group>
        <FileButton accept=".csv,.json,.txt,text/csv,application/json" onChange={take}>
          {(props) => (
            <Button {...props} variant="default" data-autofocus>
              Choose a file
            </Button>
          )}
        </FileButton>
        <Text c="dimmed">{name}</Text>
      </Group>
      {read && read.issues.length > 0 && <Issues name={name} issues={read.issues} />}
      {read && read.issues.length === 0 && (
        <IncomingChoice lists={lists} incoming={read.lists} onApply={onApply} onClose={onClose} />
      )}
    </>
  );
}

function Issues({ name, issues }: { name: string; issues: FileIssue[] }) {
  return (
    <Alert color="red" role="alert" title={`${name} was not imported. Nothing has changed`}>
      <ScrollBox label="Errors in the file">
        <List size="sm">
          {issues.map(({ row, message }) => (
            <List.Item key={`${row} ${message}`}>
              {row === null ? message : `Row ${row}: ${message}`}
            </List.Item>
          ))}
        </List>
      </ScrollBox>
    </Alert>
  );
}

const CHOICES: Record<Missing, string> = {
  off: "are switched off",
  keep: "stay as they are",
  remove: "are removed",
};

/** Previews imported lists, and asks what to do with options that they do not contain. */
function IncomingChoice({ lists, incoming, onApply, onClose }: FormProps & { incoming: IncomingLists }) {
  const [missing, setMissing] = useState<Missing>("off");
  const merged = mergeByName(lists, incoming, missing);
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
      <ChangePreview
        lists={lists}
        next={merged}
        action="Apply to the price list"
        onApply={onApply}
        onClose={onClose}
      />
    </Stack>
  );
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
function RaiseForm({ lists, onApply, onClose }: FormProps) {
  const [list, setList] = useState(ALL);
  const [percent, setPercent] = useState<string | number>(10);
  const [step, setStep] = useState("5");
  const kinds = list === ALL ? OPTION_KINDS : [list as OptionKind];
  const raised = raisePrices(lists, { kinds, percent: Number(percent) || 0, step: Number(step) });

  return (
    <>
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
      <ChangePreview
        lists={lists}
        next={raised}
        action="Change the prices"
        onApply={onApply}
        onClose={onClose}
      />
    </>
  );
}

interface ChangePreviewProps extends FormProps {
  /** What the lists become. */
  next: PriceLists;
  /** The button that applies it. */
  action: string;
}

/** What a tool changes, with the buttons that apply it or close the tool. */
function ChangePreview({ lists, next, action, onApply, onClose }: ChangePreviewProps) {
  const changes = comparePriceLists(lists, next);
  return (
    <>
      <ScrollBox label="What changes">
        <ChangeList changes={changes} />
      </ScrollBox>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={changes.length === 0} onClick={() => onApply(next)}>
          {action}
        </Button>
      </Group>
    </>
  );
}
