import { Group } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import type { MailState } from "#shared/schemas/mails.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Rows } from "../../ui/rows.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { StateTabs } from "../../ui/state-tabs.tsx";
import { useSearchOn } from "../../ui/use-search-on.ts";
import { MailDrawer } from "./mail-drawer.tsx";
import { MailRow } from "./mail-row.tsx";

const LOOK_AGAIN_MS = 10_000;

/** Every mail that the store wrote, and what became of it. */
export function MailsScreen() {
  const [shown, setShown] = useState<MailState | "all">("all");
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<string | null>(null);
  const facts = trpc.mail.facts.useQuery().data;
  const query = trpc.mail.list.useInfiniteQuery(
    { state: shown === "all" ? undefined : shown, search },
    {
      getNextPageParam: (page) => page.next,
      placeholderData: (before) => before,
      refetchInterval: LOOK_AGAIN_MS,
    },
  );
  useSearchOn(query);
  const mails = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const sentLabel = facts && !facts.delivers ? "Kept" : "Sent";

  return (
    <>
      <PageHeader title="Mails" lead={facts && !facts.delivers ? NO_SMTP : undefined} />
      <Group gap="xs" mb="md">
        <StateTabs
          label="Mails shown"
          value={shown}
          onChange={setShown}
          tabs={[
            { value: "all", label: "All" },
            { value: "waiting", label: "Waiting", count: facts?.waiting },
            { value: "failed", label: "Failed", count: facts?.failed },
            { value: "sent", label: sentLabel },
          ]}
        />
        <SearchField
          aria-label="Search by recipient"
          placeholder="Recipient's address"
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={search}
          onSearch={setSearch}
        />
      </Group>
      <ListStates
        query={query}
        isEmpty={mails.length === 0}
        empty={{ title: "No mails", text: "No mail fits this choice." }}
      >
        <Rows label="Mails">
          {mails.map((mail) => (
            <MailRow key={mail.id} mail={mail} sentLabel={sentLabel} onOpen={() => setOpened(mail.id)} />
          ))}
        </Rows>
      </ListStates>
      <MailDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  );
}

const NO_SMTP = "No mail server is set, so mails are kept in the store and read here.";
