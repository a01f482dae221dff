import { Alert, Button, FileButton, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { PriceLists } from "#shared/price-list.ts";
import { readTextFile } from "../../lib/text-files.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { IncomingChoice } from "./incoming-choice.tsx";
import { type FileFault, type ReadPrices, readPriceCsv } from "./price-csv.ts";
import { readPriceJson } from "./price-json.ts";

interface ImportDialogProps {
  lists: PriceLists;
  onApply: (lists: PriceLists) => void;
  onClose: () => void;
}

/** Takes a price list from a CSV or JSON file into the editor. A file with a fault is refused whole. */
export function ImportDialog({ lists, onApply, onClose }: ImportDialogProps) {
  const [name, setName] = useState("");
  const [read, setRead] = useState<ReadPrices | null>(null);

  async function take(file: File | null) {
    if (!file) return;
    const text = await readTextFile(file);
    setName(file.name);
    setRead(/^\s*[{[]/.test(text) ? readPriceJson(text) : readPriceCsv(text));
  }

  return (
    <Modal opened onClose={onClose} title="Import prices" size="lg">
      <Stack gap="md">
        <Text>
          A file as the export writes it: CSV with the columns List, Option, Price, Per, Sides and On, or
          JSON. Lists that the file lacks stay as they are, and nothing is saved until you save.
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
        {read && read.faults.length > 0 && <Faults name={name} faults={read.faults} />}
        {read && read.faults.length === 0 && (
          <IncomingChoice lists={lists} incoming={read.lists} onApply={onApply} onClose={onClose} />
        )}
      </Stack>
    </Modal>
  );
}

function Faults({ name, faults }: { name: string; faults: FileFault[] }) {
  return (
    <Alert color="red" role="alert" title={`${name} was not taken, and nothing is changed`}>
      <ScrollBox label="Faults of the file">
        <List size="sm">
          {faults.map(({ row, message }) => (
            <List.Item key={`${row} ${message}`}>
              {row === null ? message : `Row ${row}: ${message}`}
            </List.Item>
          ))}
        </List>
      </ScrollBox>
    </Alert>
  );
}
