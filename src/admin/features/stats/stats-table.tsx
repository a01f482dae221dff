import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { measureText } from "./measures.ts";
import classes from "./stats-table.module.css";

interface StatsRow {
  id: string;
  /** The cells before the numbers. */
  cells: string[];
  orders: number;
  pages: number;
  sheets: number;
  /** Replaced by the option's own amount. */
  revenuePaise: number;
  /** Unknown for options. */
  cancelled?: number;
}

interface StatsTableProps {
  /** The kind of rows: `Days`. */
  label: string;
  headings: string[];
  rows: StatsRow[];
  /** Shown below the rows. */
  children?: ReactNode;
}

/** All numbers of a chart as a table, collapsed at first. */
export function StatsTable({ label, headings, rows, children }: StatsTableProps) {
  const hasCancelled = rows.some(({ cancelled }) => cancelled !== undefined);
  return (
    <details className={classes.details}>
      <summary>{label} as a table</summary>
      <ScrollBox label={`${label} as a table`}>
        <Table className={classes.table} stickyHeader verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {headings.map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
              <Table.Th className={classes.number}>Orders</Table.Th>
              <Table.Th className={classes.number}>Pages</Table.Th>
              <Table.Th className={classes.number}>Sheets</Table.Th>
              <Table.Th className={classes.number}>{hasCancelled ? "Revenue" : "Amount"}</Table.Th>
              {hasCancelled && <Table.Th className={classes.number}>Cancelled</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, cells, orders, pages, sheets, revenuePaise, cancelled }) => (
              <Table.Tr key={id}>
                {cells.map((cell, column) => (
                  <Table.Td key={headings[column]}>{cell}</Table.Td>
                ))}
                <Table.Td className={classes.number}>{measureText("orders", orders)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("pages", pages)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("sheets", sheets)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("revenue", revenuePaise)}</Table.Td>
                {cancelled !== undefined && (
                  <Table.Td className={classes.number}>{measureText("orders", cancelled)}</Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {children}
    </details>
  );
}
