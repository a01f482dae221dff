import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";
import { showDone } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { SeedFileText } from "#shared/schemas/seed.ts";
import { FormError } from "../../ui/form-error.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { isNothing, SeedReportTable } from "./seed-report.tsx";

/** What a file would do, and after a click what it did. */
export function SeedRun({ file }: { file: SeedFileText }) {
  const utils = trpc.useUtils();
  const preview = trpc.seeding.preview.useMutation();
  const write = trpc.seeding.write.useMutation({
    onSuccess: async () => {
      showDone("The shops are as the file has them");
      await utils.invalidate();
    },
  });
  const lookAhead = useEffectEvent(() => preview.mutate({ file }));
  useEffect(() => lookAhead(), []);

  const report = write.data ?? preview.data;
  if (preview.isPending || preview.isIdle) return <Waiting />;
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h5">
        {write.data ? "What it did" : "What it would do"}
      </Title>
      <FormError error={write.error ?? preview.error} />
      {report && <SeedReportTable report={report} />}
      {report && !write.data && (
        <Group>
          <Button
            disabled={isNothing(report)}
            loading={write.isPending}
            onClick={() => write.mutate({ file })}
          >
            Write it to the store
          </Button>
          {isNothing(report) && <Text c="dimmed">The store is already as the file has it.</Text>}
        </Group>
      )}
    </Stack>
  );
}
