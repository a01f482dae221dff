import { Alert, Button, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { z } from "zod";
import { placeIn, type SeedFileText, seedFile } from "#shared/schemas/seed.ts";
import { codeOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { showDone, showFailure, showRefusal } from "../../lib/notices.tsx";
import { readTextFile, saveTextFile, UNREADABLE } from "../../lib/text-files.ts";
import { FormError } from "../../ui/form-error.tsx";
import { Loader, PageHeader } from "../../ui/screen.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";

interface ChosenFile {
  /** Counts the chosen files, so that the same file can be chosen again. */
  turn: number;
  name: string;
  read: ReadSeed;
}

/** Import and export of shops and prices; the import is `npm run seed` with a preview. */
export function SeedingScreen() {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);

  async function take(file: File | null) {
    if (!file) return;
    const text = await readTextFile(file).catch(() => null);
    if (text === null) return showRefusal(UNREADABLE);
    const read = readSeedFile(text);
    setChosen((before) => ({ turn: (before?.turn ?? 0) + 1, name: file.name, read }));
  }

  return (
    <Stack gap="xl" maw="48rem">
      <div>
        <PageHeader title="Seed file" lead="All shops and their price lists in one JSON file." />
        <Text>
          Shops are matched by id and options by name. The file adds and changes them. Options that are not in
          the file are switched off; shops that are not in it stay unchanged. Importing the same file again
          changes nothing.
        </Text>
        <Group mt="md">
          <FileButton accept=".json,application/json" onChange={take}>
            {(props) => <Button {...props}>Choose a file</Button>}
          </FileButton>
          <Text c="dimmed">{chosen?.name}</Text>
        </Group>
      </div>
      {chosen && "issues" in chosen.read && <SeedIssues name={chosen.name} issues={chosen.read.issues} />}
      {chosen && "file" in chosen.read && <SeedRun key={chosen.turn} file={chosen.read.file} />}
      <ExportSection />
    </Stack>
  );
}

/** Errors of a rejected file. */
function SeedIssues({ name, issues }: { name: string; issues: SeedIssue[] }) {
  return (
    <Alert color="red" role="alert" title={`${name} was not imported. Nothing has changed`}>
      <ScrollBox label="Errors in the file">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Place</Table.Th>
              <Table.Th>Error</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {issues.map(({ place, message }) => (
              <Table.Tr key={`${place} ${message}`}>
                <Table.Td>{place || "file"}</Table.Td>
                <Table.Td>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Alert>
  );
}

interface SeedIssue {
  /** In words; empty for the whole file. */
  place: string;
  message: string;
}

/** A valid file as written, or its errors. */
type ReadSeed = { file: SeedFileText } | { issues: SeedIssue[] };

function readSeedFile(text: string): ReadSeed {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { issues: [{ place: "", message: `This is not JSON: ${(error as Error).message}` }] };
  }
  const parsed = seedFile.safeParse(json);
  if (parsed.success) return { file: json as SeedFileText };
  return {
    issues: parsed.error.issues.map(({ path, message }) => ({ place: placeIn(json, path), message })),
  };
}

/** The preview of an import, and after a click its result. */
function SeedRun({ file }: { file: SeedFileText }) {
  const utils = trpc.useUtils();
  const preview = trpc.seeding.preview.useMutation();
  const write = trpc.seeding.write.useMutation({
    onSuccess: async () => {
      showDone("The file was imported");
      await utils.invalidate();
    },
    onError: (error) => codeOf(error) === "CONFLICT" && preview.mutate({ file }),
  });
  const loadPreview = useEffectEvent(() => preview.mutate({ file }));
  useEffect(() => loadPreview(), []);

  const { data: shown } = preview;
  const report = write.data ?? shown;
  const error = write.error ?? preview.error;
  if (preview.isPending || preview.isIdle) return <Loader />;
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h5">
        {write.data ? "What changed" : "What will change"}
      </Title>
      <FormError error={error} />
      {codeOf(error) === "TOO_LARGE" && (
        <Text>
          Load it on the server instead: <Code>npm run seed -- FILE</Code>
        </Text>
      )}
      {report && <SeedReportTable report={report} />}
      {shown && !write.data && (
        <Group>
          <Button
            disabled={isNothing(shown)}
            loading={write.isPending}
            onClick={() => write.mutate({ file, base: shown.base })}
          >
            Import the file
          </Button>
          {isNothing(shown) && <Text c="dimmed">The store already matches the file.</Text>}
        </Group>
      )}
    </Stack>
  );
}

type SeedReport = RouterOutputs["seeding"]["write"];
type SeededShop = SeedReport["byShop"][number];

const OUTCOMES: Record<SeededShop["outcome"], string> = {
  created: "New",
  updated: "Changed",
  unchanged: "Unchanged",
};

/** The changes by shop. */
function SeedReportTable({ report }: { report: SeedReport }) {
  return (
    <ScrollBox label="Report by shop">
      <Table striped withTableBorder miw={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Shop</Table.Th>
            <Table.Th>Details</Table.Th>
            <Table.Th>New options</Table.Th>
            <Table.Th>Changed</Table.Th>
            <Table.Th>Switched off</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.byShop.map(({ id, name, outcome, options }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{OUTCOMES[outcome]}</Table.Td>
              <Table.Td>{options.created}</Table.Td>
              <Table.Td>{options.updated}</Table.Td>
              <Table.Td>{options.deactivated}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

function isNothing({ shops, options }: SeedReport): boolean {
  return shops.created + shops.updated + options.created + options.updated + options.deactivated === 0;
}

/** All shops of the store as a seed file. */
function ExportSection() {
  const utils = trpc.useUtils();
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const [isFetching, setIsFetching] = useState(false);

  async function download() {
    setIsFetching(true);
    try {
      const shops: SeedFileText["shops"] = [];
      const leftOut: string[] = [];
      let after: string | undefined;
      do {
        const part = await utils.client.seeding.export.query({ after });
        shops.push(...part.file.shops);
        leftOut.push(...part.leftOut);
        after = part.next ?? undefined;
      } while (after);
      setLeftOut(leftOut);
      saveTextFile("shops.json", "application/json", `${JSON.stringify({ shops }, null, 2)}\n`);
    } catch (error) {
      showFailure(error);
    } finally {
      setIsFetching(false);
    }
  }

  return (
    <Stack component="section" gap="sm" align="flex-start">
      <Title order={2} size="h5">
        Export
      </Title>
      <Text>
        All shops with their price lists, without uploaded photos: for editing, or for another store.
      </Text>
      <Group gap="xs">
        <Button variant="default" loading={isFetching} onClick={download}>
          Download shops.json
        </Button>
        <Button variant="default" onClick={saveSchema}>
          Download its JSON Schema
        </Button>
      </Group>
      {leftOut.length > 0 && (
        <Text role="status">Left out, because an import would refuse them: {leftOut.join(", ")}</Text>
      )}
    </Stack>
  );
}

/** The JSON Schema of seed files, for editors. */
function saveSchema(): void {
  const schema = z.toJSONSchema(seedFile, { io: "input" });
  saveTextFile("seed.schema.json", "application/json", `${JSON.stringify(schema, null, 2)}\n`);
}
