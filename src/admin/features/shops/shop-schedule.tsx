import { Button, Group, NumberInput, Stack, Text, Textarea, Title } from "@mantine/core";
import { type FormEvent, useRef } from "react";
import { indianClock } from "#shared/indian-time.ts";
import { pressOnce } from "#ui/double-press.ts";
import { issuesOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import type { ManagedShop } from "./managed-shop.ts";
import { SettingsError } from "./save-conflict.tsx";
import { daysOf, mergeDays, useSettingsDraft, withSaved } from "./settings-draft.ts";

interface Settings {
  holidays: string[];
  pagesPerMinute: number;
  handlingMinutes: number;
}

const LABELS = {
  pagesPerMinute: "Pages a minute",
  handlingMinutes: "Minutes for each order",
  holidays: "Holidays",
};
type Values = Record<keyof Settings, string>;

function toValues({ holidays, pagesPerMinute, handlingMinutes }: Settings): Values {
  return {
    holidays: holidays.join("\n"),
    pagesPerMinute: String(pagesPerMinute),
    handlingMinutes: String(handlingMinutes),
  };
}

function toSettings({ holidays, pagesPerMinute, handlingMinutes }: Values): Settings {
  return {
    holidays: daysOf(holidays),
    pagesPerMinute: Number(pagesPerMinute),
    handlingMinutes: Number(handlingMinutes),
  };
}

/** What decides the times that students are promised, beside the opening hours. */
export function ShopSchedule({ shop: { _id: shopId } }: { shop: ManagedShop }) {
  const { data } = trpc.schedule.settings.useQuery({ shopId });
  return data ? <ScheduleForm shopId={shopId} saved={toValues(data)} /> : null;
}

function ScheduleForm({ shopId, saved }: { shopId: string; saved: Values }) {
  const utils = trpc.useUtils();
  const settings = useSettingsDraft(saved);
  const { base, values, isChanged, set, apply } = settings;
  const sent = useRef(values);
  const save = trpc.schedule.save.useMutation({
    onSuccess: (stored) => {
      apply((draft) => withSaved(draft, { sent: sent.current, stored: toValues(stored) }));
      showDone("Holidays and speed are saved");
    },
    onSettled: () => utils.schedule.invalidate(),
  });

  const wrongDay = issuesOf(save.error).find(({ path }) => path.startsWith("holidays"));

  function submit(event: FormEvent) {
    event.preventDefault();
    sent.current = values;
    save.mutate({ shopId, ...toSettings(values), base: toSettings(base) });
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
          <SettingsError
            what="the promised times"
            labels={LABELS}
            settings={settings}
            merge={{ holidays: mergeDays }}
            save={{ ...save, error: wrongDay ? null : save.error }}
          />
          <Group grow align="start">
            <NumberInput
              label={LABELS.pagesPerMinute}
              description="All printers together"
              required
              withAsterisk={false}
              min={1}
              max={2000}
              allowDecimal={false}
              value={values.pagesPerMinute}
              onChange={(value) => set("pagesPerMinute", String(value))}
            />
            <NumberInput
              label={LABELS.handlingMinutes}
              description="Opening, stapling, packing"
              required
              withAsterisk={false}
              min={0}
              max={240}
              allowDecimal={false}
              value={values.handlingMinutes}
              onChange={(value) => set("handlingMinutes", String(value))}
            />
          </Group>
          <Textarea
            label={LABELS.holidays}
            description="One day a line, such as 25/12/2026"
            error={wrongDay?.message}
            autosize
            minRows={2}
            maxRows={10}
            value={values.holidays}
            onChange={(event) => set("holidays", event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              Save promised times
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard active={isChanged} />
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
          : `${shopName} stays open today`,
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
        onClick={pressOnce(() => change.mutate({ shopId, isClosing: !closedUntil }))}
      >
        {closedUntil ? "Stay open today" : "Close early today"}
      </Button>
    </>
  );
}
