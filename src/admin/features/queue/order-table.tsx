import { Table } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { moveByArrows } from "./order-focus.ts";
import type { OrderMarks } from "./order-marks.ts";
import { OrderRow } from "./order-row.tsx";
import classes from "./order-table.module.css";
import { pageRequest, type QueueSearch } from "./queue-search.ts";
import { SortHeading } from "./sort-heading.tsx";
import { TableFilters } from "./table-filters.tsx";

interface OrderTableProps extends OrderMarks {
  shopId: string | undefined;
  shown: QueueSearch;
  onShow: (changes: QueueSearch) => void;
}

const EMPTY = { title: "No orders here", text: "No order fits what you chose above." };

/** Orders of every state, page by page. */
export function OrderTable({ shopId, shown, onShow, openId, chosen }: OrderTableProps) {
  const query = trpc.queue.page.useInfiniteQuery(pageRequest(shown, shopId), {
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  });
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <TableFilters shown={shown} onShow={onShow} />
      <ListStates query={query} isEmpty={rows.length === 0} empty={EMPTY}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside */}
        <div className={classes.sheet} onKeyDown={moveByArrows}>
          <Table className={classes.table} aria-label="Orders" verticalSpacing="xs" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th className={classes.check}>
                  <span className={classes.unseen}>Choose</span>
                </Table.Th>
                <Table.Th>Order</Table.Th>
                <Table.Th>Student</Table.Th>
                <SortHeading shown={shown} onShow={onShow} />
                <Table.Th>State</Table.Th>
                <Table.Th className={classes.wide}>Job</Table.Th>
                {!shopId && <Table.Th className={classes.wide}>Shop</Table.Th>}
                <Table.Th className={classes.wide}>Payment</Table.Th>
                <Table.Th className={`${classes.wide} ${classes.money}`}>Total</Table.Th>
                <Table.Th>
                  <span className={classes.unseen}>Next step</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((order) => (
                <OrderRow
                  key={order.id}
                  order={order}
                  isOpen={order.id === openId}
                  isChosen={chosen.has(order.id)}
                  namesShop={!shopId}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </ListStates>
    </>
  );
}
