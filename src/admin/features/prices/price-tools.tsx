import { Button, Group, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { showRefusal } from "#admin/lib/notices.ts";
import { saveTextFile } from "#admin/lib/text-files.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { writePriceCsv } from "./price-csv.ts";
import { writePriceJson } from "./price-json.ts";
import { RaiseDialog } from "./raise-dialog.tsx";

interface PriceToolsProps {
  shopId: string;
  /** As they are typed now, each entry with an id. */
  lists: PriceLists;
  /** Whether a cell cannot be read: whole lists are changed only when all of it can. */
  hasFaults: boolean;
  onReplace: (lists: PriceLists) => void;
}

type Tool = "raise" | "copy" | "import";

/** What is done to whole lists at once. Nothing of it is saved until the person saves. */
export function PriceTools({ shopId, lists, hasFaults, onReplace }: PriceToolsProps) {
  const [tool, setTool] = useState<Tool | null>(null);
  const close = () => setTool(null);
  const dialog = {
    lists,
    onClose: close,
    onApply: (next: PriceLists) => {
      onReplace(next);
      close();
    },
  };

  function choose(next: Tool) {
    if (hasFaults) showRefusal("Correct the cells in red first");
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
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
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
      {tool === "raise" && <RaiseDialog {...dialog} />}
      {tool === "copy" && <CopyDialog shopId={shopId} {...dialog} />}
      {tool === "import" && <ImportDialog {...dialog} />}
    </Group>
  );
}
