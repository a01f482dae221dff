import { Button, Group, NumberInput, Stack, Text, Textarea, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { indianClock } from "#shared/indian-time.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { FormError } from "../../ui/form-error.tsx";
import type { ManagedShop } from "./managed-shop.ts";

interface Settings {
  holidays: string[];
  pagesPerMinute: number;
  handlingMinutes: number;
}

/** What decides the times that students are promised, beside the opening hours. */
export function ShopSchedule({ shop: { _id: shopId } }: { shop: ManagedShop }) {
  const { data } = trpc.schedule.settings.useQuery({ shopId });
  if (!data) return null;
  const { holidays, pagesPerMinute, handlingMinutes } = data;
  const saved = { holidays, pagesPerMinute, handlingMinutes };
  return <ScheduleForm key={JSON.stringify(saved)} shopId={shopId} saved={saved} />;
}

function ScheduleForm({ shopId, saved }: { shopId: string; saved: Settings }) {
  const utils = trpc.useUtils();
  const [holidays, setHolidays] = useState(saved.holidays.join("\n"));
  const [pagesPerMinute, setPages] = useState<string | number>(saved.pagesPerMinute);
  const [handlingMinutes, setHandling] = useState<string | number>(saved.handlingMinutes);
  const save = trpc.schedule.save.useMutation({
    onSuccess: async () => {
      showDone("Holidays and speed are saved");
      await utils.schedule.invalidate();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    const days = holidays.split(/[\s,;]+/).filter(Boolean);
    save.mutate({
      shopId,
      holidays: days,
      pagesPerMinute: Number(pagesPerMinute),
      handlingMinutes: Number(handlingMinutes),
    });
  }

  return (
    <Stack component="section" gap="xs" mt="xl">
      <Title order={2} size="h5">
        Promised times
      </Title>
      <Text c="dimmed">
        With opening hours, students see by when their prints are ready. It follows from the pages that wait,
        how fast you print, and your holidays.
      </Text>
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormError error={save.error} />
          <Group grow align="start">
            <NumberInput
              label="Pages a minute"
              description="All printers together"
              required
              withAsterisk={false}
              min={1}
              max={2000}
              allowDecimal={false}
              value={pagesPerMinute}
              onChange={setPages}
            />
            <NumberInput
              label="Minutes for each order"
              description="Opening, stapling, packing"
              required
              withAsterisk={false}
              min={0}
              max={240}
              allowDecimal={false}
              value={handlingMinutes}
              onChange={setHandling}
            />
          </Group>
          <Textarea
            label="Holidays"
            description="One day a line, such as 2026-12-25"
            autosize
            minRows={2}
            maxRows={10}
            value={holidays}
            onChange={(event) => setHolidays(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              Save promised times
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** Closes the shop for the rest of the day, or takes that back. Only where the hours say that it is open. */
export function CloseEarlyButton({ shop: { _id: shopId, shopName, isOpen } }: { shop: ManagedShop }) {
  const utils = trpc.useUtils();
  const { data } = trpc.schedule.settings.useQuery({ shopId });
  const change = trpc.schedule.closeEarly.useMutation({
    onSuccess: (_done, { isClosing }) => {
      showDone(
        isClosing
          ? `${shopName} is closed for today. New orders are promised for the next opening`
          : `${shopName} goes on working today`,
      );
    },
    onError: showFailure,
    onSettled: () => utils.schedule.invalidate(),
  });
  if (!isOpen || !data || (!data.closedUntil && !data.isWorking)) return null;
  const { closedUntil } = data;
  return (
    <>
      {closedUntil && <Text c="dimmed">Closed early, opens {indianClock(Date.parse(closedUntil))}</Text>}
      <Button
        variant="default"
        loading={change.isPending}
        onClick={(event) => {
          ignoreSecondPress(event);
          change.mutate({ shopId, isClosing: !closedUntil });
        }}
      >
        {closedUntil ? "Go on working today" : "Closing early today"}
      </Button>
    </>
  );
}
