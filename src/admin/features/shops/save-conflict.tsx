import { Alert, Button, Group, Table } from "@mantine/core";
import type { Ref } from "react";
import { codeOf, messageOf } from "#ui/errors.ts";
import { FormError } from "../../ui/form-error.tsx";
import { draftOf, type Fields, type Merge, onTheirs, type SettingsDraft } from "./settings-draft.ts";

type Value = string | number | boolean;

interface SaveConflictProps<Name extends string> {
  ref?: Ref<HTMLDivElement>;
  /** Who saved, and when. */
  title: string;
  labels: Record<Name, string>;
  mine: Record<Name, Value>;
  theirs: Record<Name, Value>;
  onTakeTheirs: () => void;
  onApplyMine: () => void;
}

/** Somebody else has saved meanwhile: shows the differences and asks which version to keep. */
export function SaveConflict<Name extends string>(props: SaveConflictProps<Name>) {
  const { ref, title, labels, mine, theirs, onTakeTheirs, onApplyMine } = props;
  const names = Object.keys(labels) as Name[];
  const fields = names.filter((name) => String(mine[name]) !== String(theirs[name]));
  return (
    <Alert ref={ref} color="red" role="alert" title={title}>
      Your changes are still here, but not saved.
      {fields.length > 0 && (
        <Table my="sm" withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Saved version</Table.Th>
              <Table.Th>Your version</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((name) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{labels[name]}</Table.Th>
                <Table.Td>{valueText(theirs[name])}</Table.Td>
                <Table.Td>{valueText(mine[name])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Use the saved version
        </Button>
        <Button size="xs" variant="default" onClick={onApplyMine}>
          Apply my changes to theirs
        </Button>
      </Group>
    </Alert>
  );
}

interface SettingsErrorProps<T extends Fields> {
  /** Such as "the GST settings". */
  what: string;
  labels: Record<keyof T & string, string>;
  settings: SettingsDraft<T> & { apply: (change: (draft: SettingsDraft<T>) => SettingsDraft<T>) => void };
  /** By field, where changes of both can be kept. */
  merge?: Partial<Record<keyof T, Merge>>;
  save: { error: unknown; reset: () => void };
}

/** Why settings were not saved, or what somebody else has saved meanwhile. */
export function SettingsError<T extends Fields>(props: SettingsErrorProps<T>) {
  const { what, labels, settings, merge, save } = props;
  const { values, theirs, apply } = settings;
  if (!theirs) return <FormError error={save.error} />;

  function resolve(change: (draft: SettingsDraft<T>) => SettingsDraft<T>) {
    apply(change);
    save.reset();
  }

  return (
    <SaveConflict
      title={
        codeOf(save.error) === "CONFLICT"
          ? messageOf(save.error)
          : `Someone else saved ${what} while you were editing them`
      }
      labels={labels}
      mine={values}
      theirs={theirs}
      onTakeTheirs={() => resolve(() => draftOf(theirs))}
      onApplyMine={() => resolve((draft) => onTheirs(draft, merge))}
    />
  );
}

function valueText(value: Value): string | number {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value;
}
