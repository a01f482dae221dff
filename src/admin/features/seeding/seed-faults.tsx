import { Alert, Table } from "@mantine/core";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import type { SeedFault } from "./seed-file.ts";

/** Why a file was not taken, place by place. */
export function SeedFaults({ name, faults }: { name: string; faults: SeedFault[] }) {
  return (
    <Alert color="red" role="alert" title={`${name} was not taken, and nothing is changed`}>
      <ScrollBox label="Faults of the file">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Place</Table.Th>
              <Table.Th>Fault</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {faults.map(({ place, message }) => (
              <Table.Tr key={`${place} ${message}`}>
                <Table.Td>{place || "file"}</Table.Td>
                <Table.Td>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Alert>
  );
}
