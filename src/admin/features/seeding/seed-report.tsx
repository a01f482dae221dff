import { Table } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";
import { ScrollBox } from "../../ui/scroll-box.tsx";

export type SeedReport = inferRouterOutputs<AppRouter>["seeding"]["preview"];
type SeededShop = SeedReport["byShop"][number];

const OUTCOMES: Record<SeededShop["outcome"], string> = {
  created: "New",
  updated: "Changed",
  unchanged: "As it was",
};

/** Shop by shop, what a file does to it and to its options. */
export function SeedReportTable({ report }: { report: SeedReport }) {
  return (
    <ScrollBox label="Report by shop">
      <Table striped withTableBorder miw={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Shop</Table.Th>
            <Table.Th>Its fields</Table.Th>
            <Table.Th>New options</Table.Th>
            <Table.Th>Changed</Table.Th>
            <Table.Th>Switched off</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.byShop.map(({ id, name, outcome, options }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{OUTCOMES[outcome]}</Table.Td>
              <Table.Td>{options.created}</Table.Td>
              <Table.Td>{options.updated}</Table.Td>
              <Table.Td>{options.deactivated}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

export function isNothing({ shops, options }: SeedReport): boolean {
  return shops.created + shops.updated + options.created + options.updated + options.deactivated === 0;
}
