import { Alert, Badge, Button, Drawer, Group, Stack, Tabs, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import type { MailState } from "#shared/schemas/mails.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import TbSearch from "~icons/tabler/search";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { recentText } from "../../lib/times.ts";
import { SearchField, StateTabs } from "../../ui/filter-fields.tsx";
import { ListStates, Rows, useAutoFetch } from "../../ui/paged-list.tsx";
import { Loader, PageHeader } from "../../ui/screen.tsx";
import classes from "./mails-screen.module.css";

const REFETCH_MS = 10_000;

/** All mails of the store with their status. */
export function MailsScreen() {
  const [shown, setShown] = useState<MailState | "all">("all");
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<string | null>(null);
  const stats = trpc.mail.stats.useQuery().data;
  const query = trpc.mail.list.useInfiniteQuery(
    { state: shown === "all" ? undefined : shown, search },
    {
      getNextPageParam: (page) => page.next,
      placeholderData: (before) => before,
      refetchInterval: REFETCH_MS,
    },
  );
  useAutoFetch(query);
  const mails = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const sentLabel = stats && !stats.delivers ? "Stored" : "Sent";

  return (
    <>
      <PageHeader title="Emails" lead={stats && !stats.delivers ? NO_SMTP : undefined} />
      <Group gap="xs" mb="md">
        <StateTabs
          label="Emails shown"
          value={shown}
          onChange={setShown}
          tabs={[
            { value: "all", label: "All" },
            { value: "waiting", label: "Waiting", count: stats?.waiting },
            { value: "failed", label: "Failed", count: stats?.failed },
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
          title: "No emails",
          text: shown === "all" && !search ? "Nothing has been emailed yet." : "No emails match this filter.",
        }}
      >
        <Rows label="Emails">
          {mails.map((mail) => (
            <MailRow key={mail.id} mail={mail} sentLabel={sentLabel} onOpen={() => setOpened(mail.id)} />
          ))}
        </Rows>
      </ListStates>
      <MailDrawer id={opened} onClose={() => setOpened(null)} />
    </>
  );
}

const NO_SMTP = "No mail server is configured. Emails are stored and can be read here.";

type ListedMail = RouterOutputs["mail"]["list"]["rows"][number];

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

/** A mail's details. @param id null if none is open */
function MailDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  useBackCloses(id !== null, onClose);
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="xl" title="Email">
      {id && <OpenMail id={id} onSentAgain={onClose} />}
    </Drawer>
  );
}

function OpenMail({ id, onSentAgain }: { id: string; onSentAgain: () => void }) {
  const { data: mail, error } = trpc.mail.byId.useQuery({ id }, { staleTime: 0 });
  const utils = trpc.useUtils();
  const resend = trpc.mail.resend.useMutation({
    onSuccess: () => {
      showDone("The email is being sent again");
      return utils.mail.invalidate();
    },
    onError: showFailure,
  });
  if (error) return <Alert color="red">{messageOf(error)}</Alert>;
  if (!mail) return <Loader />;
  return (
    <Stack gap="md">
      <MailFacts mail={mail} />
      {mail.resendable ? (
        <Button
          className={classes.resend}
          variant="default"
          loading={resend.isPending}
          // Not once it is closed: the next mail may be open.
          onClick={pressOnce(() => resend.mutate({ id }, { onSuccess: onSentAgain }))}
        >
          Send again
        </Button>
      ) : (
        <Alert color="gray">
          It contained a login code or link, which is not stored, so it cannot be sent again.
        </Alert>
      )}
      {mail.text !== null && mail.html !== null && mail.resendable && (
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="text">Text</Tabs.Tab>
            <Tabs.Tab value="html">Preview</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="text">
            <pre className={classes.text}>{mail.text}</pre>
          </Tabs.Panel>
          <Tabs.Panel value="html">
            <iframe title="The email" className={classes.page} sandbox="" srcDoc={mail.html} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

/** A mail's recipient and status. */
function MailFacts({ mail }: { mail: RouterOutputs["mail"]["byId"] }) {
  const facts = {
    To: mail.to,
    "Reply to": mail.replyTo,
    Written: indianMoment(mail.createdAt),
    Sent: mail.sentAt && indianMoment(mail.sentAt),
    Failed: mail.failedAt && indianMoment(mail.failedAt),
    Tries: mail.attempts,
  };
  return (
    <section>
      <Title order={3} size="h5" mb="xs">
        {mail.subject}
      </Title>
      <dl className={classes.facts}>
        {Object.entries(facts)
          .filter(([, value]) => value !== null)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
