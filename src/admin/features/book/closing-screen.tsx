import { ActionIcon, Alert, Button, Group, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addDays, type Day, indianDay, indianTime } from "#shared/indian-time.ts";
import { formatPaise, toRupees } from "#shared/money.ts";
import { MAX_STAFF_REASON } from "#shared/order-limits.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import TbChevronLeft from "~icons/tabler/chevron-left";
import TbChevronRight from "~icons/tabler/chevron-right";
import { useNow } from "../../lib/clock.ts";
import { useOneShop, useShopChoices, useShopNamed } from "../../lib/my-shops.ts";
import { showDone } from "../../lib/notices.tsx";
import { parseSignedRupees } from "../../lib/rupees.ts";
import { saveTextFile, writeCsv } from "../../lib/text-files.ts";
import { longDay } from "../../lib/times.ts";
import { DayField } from "../../ui/filter-fields.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Loader, PageHeader, QueryFailure, ScreenMessage } from "../../ui/screen.tsx";
import classes from "./closing-screen.module.css";

const route = getRouteApi("/_staff/closing");

/** Closing the day of a shop: expected and counted cash, UPI, refunds, by clerk. */
export function ClosingScreen() {
  const { day, ownShop } = route.useSearch();
  const navigate = route.useNavigate();
  const onDay = (next: Day | undefined) =>
    void navigate({ search: (search) => ({ ...search, day: next }), replace: true });
  const today = indianDay(new Date(useNow()));
  const shops = trpc.staff.myShops.useQuery({});
  const choices = useShopChoices(useShopNamed(ownShop).data?.shops);
  const oneShop = useOneShop();
  const shopId = oneShop ?? ownShop;
  const shown = day ?? today;
  const show = (next: Day) => onDay(next === today ? undefined : next);
  return (
    <>
      <div className={classes.noPrint}>
        <PageHeader
          title="Close the day"
          lead="Count the cash and compare it with what was recorded. A closed day stays closed: later payments count on the next day."
        />
        <Group gap="xs" mb="md" align="flex-end">
          {!oneShop && shops.data && shops.data.shops.length > 0 && (
            <Select
              label="Shop"
              value={ownShop ?? null}
              onChange={(id) =>
                void navigate({
                  search: (search) => ({ ...search, ownShop: id ?? undefined }),
                  replace: true,
                })
              }
              {...choices}
            />
          )}
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <ActionIcon
              size="input-sm"
              variant="default"
              aria-label="The day before"
              onClick={() => show(addDays(shown, -1))}
            >
              <TbChevronLeft size={18} />
            </ActionIcon>
            <DayField label="Day" required max={addDays(today, 1)} value={shown} onDay={show} />
            <ActionIcon
              size="input-sm"
              variant="default"
              aria-label="The day after"
              disabled={shown > today}
              onClick={() => show(addDays(shown, 1))}
            >
              <TbChevronRight size={18} />
            </ActionIcon>
          </Group>
        </Group>
      </div>
      {shops.isPending && <Loader />}
      {shopId ? (
        <DayOfShop
          key={`${shopId} ${shown}`}
          shopId={shopId}
          day={shown}
          onDay={show}
          onType={() => day === undefined && onDay(shown)}
        />
      ) : null}
      {shops.data && !shopId && <ScreenMessage title="Choose a shop" text="Each shop closes its own day." />}
    </>
  );
}

type BookDay = RouterOutputs["book"]["day"];

/** How often the sheet follows the payments that others record. */
const REFRESH_MS = 30_000;

interface DayOfShopProps {
  shopId: string;
  day: Day;
  onDay: (day: Day) => void;
  /** The day must stay when today ends. */
  onType: () => void;
}

function DayOfShop({ shopId, day, onDay, onType }: DayOfShopProps) {
  const { data, error, refetch } = trpc.book.day.useQuery(
    { shopId, day },
    { staleTime: 0, refetchInterval: REFRESH_MS },
  );
  if (!data && error) return <QueryFailure title="The day could not be loaded" query={{ error, refetch }} />;
  if (!data) return <Loader />;
  const open = data.openDays.filter((other) => other !== day);
  return (
    <div className={classes.columns}>
      <article className={classes.sheet} aria-label={`${data.shop.name}, ${longDay(day)}`}>
        <h2 className={classes.title}>{longDay(day)}</h2>
        <Text c="dimmed">
          {data.shop.name}, {data.shop.location}
        </Text>
        <DayFigures figures={data.figures} closed={data.closed} />
        <ClerkTable clerks={data.figures.clerks} />
        {data.closed && (
          <Text size="sm" mt="md">
            Closed by {data.closed.by}, {indianTime(data.closed.at)}
            {data.closed.note && <>. Note: {data.closed.note}</>}
          </Text>
        )}
      </article>
      <Stack gap="md" className={classes.noPrint}>
        {open.length > 0 && (
          <Alert color="orange" title="Not closed yet">
            <Group gap="xs">
              {open.map((other) => (
                <Button key={other} size="compact-sm" variant="default" onClick={() => onDay(other)}>
                  {longDay(other)}
                </Button>
              ))}
            </Group>
          </Alert>
        )}
        {data.canClose && <ClosingForm data={data} onType={onType} />}
        {!data.canClose && !data.closed && (
          <Text c="dimmed">This day has not begun. Payments after today's closing are counted here.</Text>
        )}
        <Group gap="xs">
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
          <Button variant="default" onClick={() => saveDay(data)}>
            CSV
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

function DayFigures({ figures, closed }: Pick<BookDay, "figures" | "closed">) {
  const { cashTaken, cashRefunded, upiTaken, upiRefunded, expectedCash } = figures;
  return (
    <dl className={classes.figures}>
      <Line name="Cash taken" paise={cashTaken} />
      <Line name="Cash refunded" paise={0 - cashRefunded} />
      <Line name="Expected cash" paise={expectedCash} isSum />
      {closed && <Line name="Counted cash" paise={closed.countedCash} />}
      {closed && <Line name="Difference" paise={closed.countedCash - expectedCash} isSum />}
      <Line name="UPI taken" paise={upiTaken} />
      <Line name="UPI refunded" paise={0 - upiRefunded} />
      <Line name="UPI" paise={upiTaken - upiRefunded} isSum />
      <Line name="Collected" paise={expectedCash + upiTaken - upiRefunded} isSum />
    </dl>
  );
}

function Line({ name, paise, isSum = false }: { name: string; paise: number; isSum?: boolean }) {
  return (
    <div data-sum={isSum || undefined}>
      <dt>{name}</dt>
      <dd>{formatPaise(paise)}</dd>
    </div>
  );
}

function ClerkTable({ clerks }: { clerks: BookDay["figures"]["clerks"] }) {
  if (clerks.length === 0) return <Text mt="md">No payments on this day.</Text>;
  return (
    <div className={classes.scroll}>
      <table className={classes.clerks} aria-label="By clerk">
        <thead>
          <tr>
            <th scope="col">By clerk</th>
            <th scope="col">Cash</th>
            <th scope="col">UPI</th>
            <th scope="col">Refunds</th>
          </tr>
        </thead>
        <tbody>
          {clerks.map((clerk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two clerks may have one name, and the rows never move
            <tr key={index}>
              <th scope="row">{nameOf(clerk)}</th>
              <td>{formatPaise(clerk.cashTaken)}</td>
              <td>{formatPaise(clerk.upiTaken)}</td>
              <td>{formatPaise(clerk.cashRefunded + clerk.upiRefunded)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf({ name }: { name: string }): string {
  return name || "Deleted account";
}

interface ClosingPlace {
  day?: Day;
  ownShop?: string;
  /** That of the header. */
  shop?: string;
}

/** Counted cash, the difference, and a note where there is one. */
function ClosingForm({ data, onType }: Pick<DayOfShopProps, "onType"> & { data: BookDay }) {
  const { shop, day, figures } = data;
  const { book } = trpc.useUtils();
  const [counted, setCounted] = useState("");
  const [note, setNote] = useState("");
  const [wrong, setWrong] = useState("");
  const close = trpc.book.close.useMutation({
    onSuccess: () => showDone(`${longDay(day)} is closed`),
    onSettled: () => book.invalidate(),
  });
  const countedCash = parseSignedRupees(counted);
  const difference = countedCash === null ? 0 : countedCash - figures.expectedCash;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setWrong(countedCash === null ? "An amount such as 2350 or 2350.50" : "");
    if (countedCash === null) return;
    close.mutate({
      shopId: shop.id,
      day,
      expectedCashPaise: figures.expectedCash,
      countedCashPaise: countedCash,
      note: difference === 0 ? "" : note,
    });
  }

  return (
    <form onSubmit={submit} className={classes.form} aria-label="Close the day">
      <LeaveGuard
        active={counted !== "" && !close.isSuccess}
        // Typing puts the day that is shown into the URL.
        of={(search: ClosingPlace) => [search.day ?? day, search.ownShop, search.shop]}
      />
      <Stack gap="sm">
        <TextInput
          label="Counted cash"
          description={`Without the change that stays in the drawer; negative if more was paid out than came in. Expected: ${formatPaise(figures.expectedCash)}`}
          leftSection="₹"
          // Few keypads for decimals have a minus.
          inputMode={figures.expectedCash < 0 ? "text" : "decimal"}
          autoComplete="off"
          maxLength={14}
          required
          value={counted}
          onChange={(event) => {
            setCounted(event.currentTarget.value);
            setWrong("");
            onType();
          }}
          error={wrong || (close.error && messageOf(close.error))}
        />
        {difference !== 0 && (
          <>
            <Text fw={600} role="status">
              {difference > 0
                ? `${formatPaise(difference)} too much`
                : `${formatPaise(0 - difference)} missing`}
            </Text>
            <Textarea
              label="Why it differs"
              autosize
              minRows={2}
              maxLength={MAX_STAFF_REASON}
              required
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          </>
        )}
        <Button type="submit" loading={close.isPending} onClick={ignoreSecondPress}>
          Close {longDay(day)}
        </Button>
      </Stack>
    </form>
  );
}

/** The sheet as CSV: the day's figures, then a line for each clerk. */
function saveDay({ shop, day, figures, closed }: BookDay): void {
  const { cashTaken, cashRefunded, upiTaken, upiRefunded, expectedCash, clerks } = figures;
  const sums: [string, number | string][] = [
    ["Cash taken", toRupees(cashTaken)],
    ["Cash refunded", toRupees(cashRefunded)],
    ["Expected cash", toRupees(expectedCash)],
    ["Counted cash", closed ? toRupees(closed.countedCash) : ""],
    ["Difference", closed ? toRupees(closed.countedCash - expectedCash) : ""],
    ["UPI taken", toRupees(upiTaken)],
    ["UPI refunded", toRupees(upiRefunded)],
    ["Closed by", closed?.by ?? ""],
    ["Closed at", closed ? indianTime(closed.at) : ""],
    ["Note", closed?.note ?? ""],
  ];
  const rows = [
    ...sums.map(([name, value]) => [shop.name, day, name, value]),
    ...clerks.flatMap((clerk) => [
      [shop.name, day, `Cash taken by ${nameOf(clerk)}`, toRupees(clerk.cashTaken)],
      [shop.name, day, `UPI taken by ${nameOf(clerk)}`, toRupees(clerk.upiTaken)],
      [shop.name, day, `Cash refunded by ${nameOf(clerk)}`, toRupees(clerk.cashRefunded)],
      [shop.name, day, `UPI refunded by ${nameOf(clerk)}`, toRupees(clerk.upiRefunded)],
    ]),
  ];
  saveTextFile(`closing-${day}.csv`, "text/csv", writeCsv(["Shop", "Day", "Figure", "Amount"], rows));
}
