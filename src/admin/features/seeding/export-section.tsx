import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { z } from "zod";
import { showFailure } from "#admin/lib/notices.ts";
import { saveTextFile } from "#admin/lib/text-files.ts";
import { trpc } from "#client/lib/trpc.ts";
import { seedFile } from "#shared/schemas/seed.ts";

/** All shops of the store as a seed file. */
export function ExportSection() {
  const utils = trpc.useUtils();
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const [isFetching, setIsFetching] = useState(false);

  async function download() {
    setIsFetching(true);
    try {
      const { file, leftOut } = await utils.seeding.export.fetch(undefined, { staleTime: 0 });
      setLeftOut(leftOut);
      saveTextFile("shops.json", "application/json", `${JSON.stringify(file, null, 2)}\n`);
    } catch (error) {
      showFailure(error);
    } finally {
      setIsFetching(false);
    }
  }

  return (
    <Stack component="section" gap="sm" align="flex-start">
      <Title order={2} size="h5">
        The store as a file
      </Title>
      <Text>Every shop with its whole price list, to keep, to edit, or to take to another store.</Text>
      <Group gap="xs">
        <Button variant="default" loading={isFetching} onClick={download}>
          Download shops.json
        </Button>
        <Button variant="default" onClick={saveSchema}>
          Download its JSON Schema
        </Button>
      </Group>
      {leftOut.length > 0 && (
        <Text role="status">Left out, because a list of theirs has nothing on: {leftOut.join(", ")}</Text>
      )}
    </Stack>
  );
}

/** What a seed file may hold, for editors that check while one types. */
function saveSchema(): void {
  const schema = z.toJSONSchema(seedFile, { io: "input" });
  saveTextFile("seed.schema.json", "application/json", `${JSON.stringify(schema, null, 2)}\n`);
}
