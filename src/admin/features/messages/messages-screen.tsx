import { Accordion, Anchor, Badge, Box, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { mailLink } from "#shared/format.ts";
import { indianMoment } from "#shared/indian-time.ts";
import type { ContactState, MarkContactInput } from "#shared/schemas/contact.ts";
import { pressOnce } from "#ui/double-press.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { showFailure } from "../../lib/notices.tsx";
import { recentText } from "../../lib/times.ts";
import { StateTabs } from "../../ui/filter-fields.tsx";
import { ListStates } from "../../ui/paged-list.tsx";
import { PageHeader } from "../../ui/screen.tsx";
import classes from "./messages-screen.module.css";

type Shown = ContactState | "all";

/** Messages from the contact form. */
export function MessagesScreen() {
  const [shown, setShown] = useState<Shown>("all");
  const state = shown === "all" ? undefined : shown;
  const counts = trpc.contact.counts.useQuery().data;
  const query = trpc.contact.list.useInfiniteQuery(
    { state },
    { getNextPageParam: (page) => page.next, staleTime: 0 },
  );
  const [opened, setOpened] = useState<Message | null>(null);
  const { contact } = trpc.useUtils();
  const mark = trpc.contact.mark.useMutation({
    onSuccess(_done, { id, state }) {
      setOpened((message) => (message?.id === id ? { ...message, state, stateBy: null } : message));
      return contact.invalidate();
    },
    onError: showFailure,
  });
  const listed = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const messages = opened ? withMessage(listed, opened) : listed;

  /** Opening a message marks it as read. */
  function open(id: string | null) {
    const message = messages.find((message) => message.id === id) ?? null;
    setOpened(message);
    if (message?.state === "new") mark.mutate({ id: message.id, state: "read", from: "new" });
  }

  function show(next: Shown) {
    setOpened(null);
    setShown(next);
  }

  return (
    <>
      <PageHeader title="Messages" lead="Messages from the contact form." />
      <Box mb="md">
        <StateTabs
          label="Messages shown"
          value={shown}
          onChange={show}
          tabs={[
            { value: "all", label: "All" },
            { value: "new", label: "New", count: counts?.new },
            { value: "read", label: "Read", count: counts?.read },
            { value: "answered", label: "Answered" },
          ]}
        />
      </Box>
      <ListStates
        query={query}
        isEmpty={messages.length === 0}
        empty={{
          title: "No messages",
          text: shown === "all" ? "Nobody has written yet." : "No messages match this filter.",
        }}
      >
        <Accordion
          variant="contained"
          classNames={{ item: classes.item }}
          value={opened?.id ?? null}
          onChange={open}
        >
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} onMark={mark.mutate} />
          ))}
        </Accordion>
      </ListStates>
    </>
  );
}

/** The list with an open message, which may be marked as something else than what is listed. */
function withMessage(listed: Message[], opened: Message): Message[] {
  if (listed.some(({ id }) => id === opened.id)) return listed;
  const older = listed.findIndex(({ createdAt }) => createdAt < opened.createdAt);
  return listed.toSpliced(older < 0 ? listed.length : older, 0, opened);
}

type Message = RouterOutputs["contact"]["list"]["rows"][number];

interface MessageItemProps {
  message: Message;
  onMark: (mark: MarkContactInput) => void;
}

const COLOUR: Record<ContactState, string> = { new: "marigold", read: "gray", answered: "green" };

/** A message: a row that expands to its text and actions. */
function MessageItem({ message, onMark }: MessageItemProps) {
  const { id, state } = message;
  const other = state === "answered" ? "read" : "answered";
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <span className={classes.line} data-new={state === "new" || undefined}>
          <span className={classes.name}>{message.fullName}</span>
          <span className={classes.subject}>{message.subject || message.message}</span>
          <Badge component="span" variant="light" color={COLOUR[state]} c="var(--ink)">
            {state}
          </Badge>
          <time dateTime={message.createdAt} className={classes.time}>
            {recentText(message.createdAt)}
          </time>
        </span>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Text c="dimmed">
            <Anchor href={mailLink(message.email)}>{message.email}</Anchor>, {indianMoment(message.createdAt)}
          </Text>
          <Text className={classes.text}>{message.message}</Text>
          {message.stateBy && message.stateAt && (
            <Text c="dimmed" size="sm">
              Marked {state} by {message.stateBy}, {indianMoment(message.stateAt)}
            </Text>
          )}
          <Group gap="xs">
            <Button component="a" href={answerUrl(message)} size="xs">
              Answer by email
            </Button>
            <Button size="xs" variant="default" onClick={pressOnce(() => onMark({ id, state: other }))}>
              Mark as {other === "read" ? "not answered" : "answered"}
            </Button>
            {state === "read" && (
              <Button size="xs" variant="default" onClick={pressOnce(() => onMark({ id, state: "new" }))}>
                Mark as new
              </Button>
            )}
          </Group>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** A mailto link with a reply. */
function answerUrl({ email, subject, fullName }: Message): string {
  const title = encodeURIComponent(`Re: ${subject || "your message to Print Store"}`);
  const body = encodeURIComponent(`Hello ${fullName},\n\n`);
  return `${mailLink(email)}?subject=${title}&body=${body}`;
}
