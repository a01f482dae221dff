import { Alert, Button, Group, Table } from "@mantine/core";
import { FIELD_LABELS, SHOP_FIELDS, type ShopValues } from "./managed-shop.ts";

interface ShopConflictProps {
  /** Who saved, and when. */
  message: string;
  mine: ShopValues;
  theirs: ShopValues;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Someone else saved the shop first: where the two differ, and which to go on with. */
export function ShopConflict({ message, mine, theirs, onTakeTheirs, onKeepMine }: ShopConflictProps) {
  const fields = SHOP_FIELDS.filter((field) => String(mine[field]) !== String(theirs[field]));
  return (
    <Alert color="red" role="alert" title={message}>
      What you typed is still here, and not saved.
      {fields.length > 0 && (
        <Table my="sm" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>As saved</Table.Th>
              <Table.Th>As you have it</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{FIELD_LABELS[field]}</Table.Th>
                <Table.Td>{valueText(theirs[field])}</Table.Td>
                <Table.Td>{valueText(mine[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Go on with what is saved
        </Button>
        <Button size="xs" variant="default" onClick={onKeepMine}>
          Go on with mine
        </Button>
      </Group>
    </Alert>
  );
}

function valueText(value: string | number | boolean): string | number {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value;
}
