import { Badge, Group, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { MailState } from "#shared/schemas/mails.ts";
import { trpc } from "#ui/trpc.ts";
import TbSearch from "~icons/tabler/search";
import { recentText } from "../../lib/times.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Rows } from "../../ui/rows.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { StateTabs } from "../../ui/state-tabs.tsx";
import { useAutoFetch } from "../../ui/use-auto-fetch.ts";
import { MailDrawer } from "./mail-drawer.tsx";
import classes from "./mails-screen.module.css";

const LOOK_AGAIN_MS = 10_000;

/** All mails of the store with their status. */
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
  useAutoFetch(query);
  const mails = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const sentLabel = facts && !facts.delivers ? "Stored" : "Sent";

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
          leftSection={<TbSearch size={16} />}
          value={search}
          onSearch={setSearch}
        />
      </Group>
      <ListStates
        query={query}
        isEmpty={mails.length === 0}
        empty={{
          title: "No mails",
          text: shown === "all" && !search ? "Nothing has been mailed yet." : "No mails match this filter.",
        }}
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

const NO_SMTP = "No mail server is configured. Mails are stored and can be read here.";

interface ListedMail {
  to: string;
  subject: string;
  state: MailState;
  lastError: string | null;
  createdAt: string;
}

interface MailRowProps {
  mail: ListedMail;
  /** The label of sent mails: without a mail server they are only stored. */
  sentLabel: string;
  onOpen: () => void;
}

const COLOUR: Record<MailState, string> = { waiting: "gray", sent: "green", failed: "red" };

function MailRow({ mail, sentLabel, onOpen }: MailRowProps) {
  const { state, lastError } = mail;
  const label = state === "sent" ? sentLabel.toLowerCase() : state;
  return (
    <li>
      <UnstyledButton className={classes.row} onClick={onOpen}>
        <span className={classes.to}>{mail.to}</span>
        <span className={classes.subject}>{mail.subject}</span>
        <Badge component="span" variant="light" color={COLOUR[state]} c="var(--ink)">
          {label}
        </Badge>
        <time dateTime={mail.createdAt} className={classes.time}>
          {recentText(mail.createdAt)}
        </time>
        {state !== "sent" && lastError && <span className={classes.error}>{lastError}</span>}
      </UnstyledButton>
    </li>
  );
}
