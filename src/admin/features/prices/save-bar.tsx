import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { PriceChange } from "#shared/price-list.ts";
import { ChangeList } from "./change-list.tsx";
import classes from "./save-bar.module.css";

interface SaveBarProps {
  changes: readonly PriceChange[];
  /** Why the list cannot be saved. */
  obstacle: string | null;
  canUndo: boolean;
  isSaving: boolean;
  onUndo: () => void;
  onDiscard: () => void;
  onSave: () => void;
}

/** The bar with the number of unsaved changes. */
export function SaveBar(props: SaveBarProps) {
  const { changes, obstacle, canUndo, isSaving, onUndo, onDiscard, onSave } = props;
  const [looking, look] = useDisclosure();
  const isChanged = changes.length > 0;
  return (
    <div className={classes.bar}>
      <Text role="status" c={obstacle ? "var(--bad)" : undefined}>
        {obstacle ?? countText(changes.length)}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={!isChanged} onClick={look.open}>
          See changes
        </Button>
        <Button size="xs" variant="default" disabled={!canUndo} onClick={onUndo}>
          Undo
        </Button>
        <Button size="xs" variant="default" disabled={!canUndo && !isChanged} onClick={onDiscard}>
          Discard
        </Button>
        <Button size="xs" disabled={!isChanged} loading={isSaving} onClick={onSave}>
          Save prices
        </Button>
      </Group>
      <Modal opened={looking} onClose={look.close} title="Unsaved changes" size="lg">
        <ChangeList changes={changes} />
      </Modal>
    </div>
  );
}

function countText(count: number): string {
  if (count === 0) return "All changes saved";
  return count === 1 ? "1 unsaved change" : `${count} unsaved changes`;
}
