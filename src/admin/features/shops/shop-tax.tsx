import { Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { GST_RATES, isGstin, STATES } from "#shared/gst.ts";
import { issuesOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { FormError } from "../../ui/form-error.tsx";
import type { ManagedShop } from "./managed-shop.ts";

interface Settings {
  gstin: string;
  legalName: string;
  address: string;
  ratePercent: number;
  sac: string;
  series: string;
}

/** What the shop's tax invoices say. Without a GSTIN it issues receipts only. */
export function ShopTax({ shop: { _id: shopId } }: { shop: ManagedShop }) {
  const { data } = trpc.tax.settings.useQuery({ shopId });
  return data ? <TaxForm key={JSON.stringify(data)} shopId={shopId} saved={data} /> : null;
}

function TaxForm({ shopId, saved }: { shopId: string; saved: Settings }) {
  const utils = trpc.useUtils();
  const [values, setValues] = useState(saved);
  const save = trpc.tax.save.useMutation({
    onSuccess: async (_done, { gstin }) => {
      showDone(gstin ? "Orders that you hand over now get a tax invoice" : "Orders get receipts only");
      await utils.tax.invalidate();
    },
  });
  const issues = save.error ? issuesOf(save.error) : [];
  const gstin = values.gstin.replace(/[\s-]/g, "").toUpperCase();

  function submit(event: FormEvent) {
    event.preventDefault();
    const ratePercent = GST_RATES.find((rate) => rate === values.ratePercent) ?? 18;
    save.mutate({ ...values, shopId, ratePercent });
  }

  const field = (name: Exclude<keyof Settings, "ratePercent">) => ({
    value: values[name],
    error: issues.find(({ path }) => path === name)?.message,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues((before) => ({ ...before, [name]: value })),
  });

  return (
    <Stack component="section" gap="xs" mt="xl">
      <Title order={2} size="h5">
        GST
      </Title>
      <Text c="dimmed">
        With a GSTIN, an order that is handed over gets a tax invoice, numbered for each financial year. The
        tax lies within the price that was agreed. A refund after that gets a credit note. Please check rate
        and code with your accountant.
      </Text>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <FormError error={issues.length === 0 ? save.error : null} />
          <TextInput
            label="GSTIN"
            description={isGstin(gstin) ? STATES[gstin.slice(0, 2)] : "15 characters; empty for none"}
            autoComplete="off"
            maxLength={20}
            {...field("gstin")}
          />
          <TextInput label="Legal name" maxLength={200} {...field("legalName")} />
          <Textarea label="Registered address" autosize minRows={2} maxLength={300} {...field("address")} />
          <Group grow align="start">
            <Select
              label="Rate"
              allowDeselect={false}
              data={GST_RATES.map((rate) => ({ value: String(rate), label: `${rate} %` }))}
              value={String(values.ratePercent)}
              onChange={(rate) => setValues((before) => ({ ...before, ratePercent: Number(rate) }))}
            />
            <TextInput label="HSN/SAC" inputMode="numeric" maxLength={8} {...field("sac")} />
            <TextInput label="Number prefix" maxLength={3} {...field("series")} />
          </Group>
          <Group>
            <Button type="submit" variant="default" loading={save.isPending}>
              Save GST
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
