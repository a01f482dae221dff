import { Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { type FormEvent, useRef } from "react";
import { GST_RATES, isGstin, STATES } from "#shared/gst.ts";
import { issueOf, issuesOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import type { ManagedShop } from "./managed-shop.ts";
import { SettingsError } from "./save-conflict.tsx";
import { useSettingsDraft, withSaved } from "./settings-draft.ts";

interface Settings {
  gstin: string;
  legalName: string;
  address: string;
  ratePercent: number;
  sac: string;
  series: string;
}

const LABELS = {
  gstin: "GSTIN",
  legalName: "Legal name",
  address: "Registered address",
  ratePercent: "Rate",
  sac: "HSN/SAC",
  series: "Number prefix",
};
type Values = Record<keyof Settings, string>;

function toValues({ ratePercent, ...texts }: Settings): Values {
  return { ...texts, ratePercent: String(ratePercent) };
}

/** What the shop's tax invoices say. Without a GSTIN it issues receipts only. */
export function ShopTax({ shop: { _id: shopId } }: { shop: ManagedShop }) {
  const { data } = trpc.tax.settings.useQuery({ shopId });
  return data ? <TaxForm shopId={shopId} saved={toValues(data)} /> : null;
}

function TaxForm({ shopId, saved }: { shopId: string; saved: Values }) {
  const utils = trpc.useUtils();
  const settings = useSettingsDraft(saved);
  const { base, values, isChanged, set, apply } = settings;
  const sent = useRef(values);
  const save = trpc.tax.save.useMutation({
    onSuccess: (stored) => {
      apply((draft) => withSaved(draft, { sent: sent.current, stored: toValues(stored) }));
      showDone(stored.gstin ? "Orders that you hand over now get a tax invoice" : "Orders get receipts only");
    },
    onSettled: () => utils.tax.invalidate(),
  });
  const gstin = values.gstin.replace(/[\s-]/g, "").toUpperCase();

  function submit(event: FormEvent) {
    event.preventDefault();
    const ratePercent = GST_RATES.find((rate) => String(rate) === values.ratePercent) ?? 18;
    sent.current = values;
    save.mutate({ ...values, shopId, ratePercent, base: { ...base, ratePercent: Number(base.ratePercent) } });
  }

  const field = (name: keyof Settings) => ({
    label: LABELS[name],
    value: values[name],
    error: issueOf(save.error, name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => set(name, value),
  });

  return (
    <Stack component="section" gap="xs" mt="xl">
      <Title order={2} size="h5">
        GST
      </Title>
      <Text c="dimmed">
        With a GSTIN, an order that is handed over gets a tax invoice, numbered for each financial year. The
        tax is included in the price that was agreed. A refund after that gets a credit note. Please check
        rate and code with your accountant.
      </Text>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <SettingsError
            what="the GST settings"
            labels={LABELS}
            settings={settings}
            save={{ ...save, error: issuesOf(save.error).length === 0 ? save.error : null }}
          />
          <TextInput
            description={isGstin(gstin) ? STATES[gstin.slice(0, 2)] : "15 characters; empty for none"}
            autoComplete="off"
            maxLength={20}
            {...field("gstin")}
          />
          <TextInput maxLength={200} {...field("legalName")} />
          <Textarea autosize minRows={2} maxLength={300} {...field("address")} />
          <Group grow align="start">
            <Select
              label={LABELS.ratePercent}
              allowDeselect={false}
              data={GST_RATES.map((rate) => ({ value: String(rate), label: `${rate} %` }))}
              value={values.ratePercent}
              onChange={(rate) => rate && set("ratePercent", rate)}
            />
            <TextInput inputMode="numeric" maxLength={8} {...field("sac")} />
            <TextInput maxLength={3} {...field("series")} />
          </Group>
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              Save GST
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard active={isChanged} />
    </Stack>
  );
}
