import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { readTextFile } from "#admin/lib/text-files.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { ExportSection } from "./export-section.tsx";
import { SeedFaults } from "./seed-faults.tsx";
import { type ReadSeed, readSeedFile } from "./seed-file.ts";
import { SeedRun } from "./seed-run.tsx";

interface ChosenFile {
  /** Counts the files that were chosen: the same one again is looked at again. */
  turn: number;
  name: string;
  read: ReadSeed;
}

/** Shops and their prices from a file and into one: what `npm run seed` does, with a look at it before. */
export function SeedingScreen() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);

  async function take(file: File | null) {
    if (!file) return;
    const read = readSeedFile(await readTextFile(file));
    setChosen((before) => ({ turn: (before?.turn ?? 0) + 1, name: file.name, read }));
  }

  return (
    <Stack gap="xl" maw="48rem">
      <div>
        <PageHeader title="Seed file" lead="All shops and their price lists in one JSON file." />
        <Text>
          A shop is found by its id and an option by its name: what the file says is made or changed, options
          that it lacks are switched off, and shops that it lacks stay as they are. The same file a second
          time changes nothing.
        </Text>
        <Group mt="md">
          <FileButton accept=".json,application/json" onChange={take}>
            {(props) => <Button {...props}>Choose a file</Button>}
          </FileButton>
          <Text c="dimmed">{chosen?.name}</Text>
        </Group>
      </div>
      {chosen && "faults" in chosen.read && <SeedFaults name={chosen.name} faults={chosen.read.faults} />}
      {chosen && "file" in chosen.read && <SeedRun key={chosen.turn} file={chosen.read.file} />}
      <ExportSection />
    </Stack>
  );
}
