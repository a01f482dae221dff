import { Accordion, Box } from "@mantine/core";
import { useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import type { ContactState } from "#shared/schemas/contact.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { StateTabs } from "../../ui/state-tabs.tsx";
import classes from "./message-item.module.css";
import { MessageItem } from "./message-item.tsx";
import { useMarkMessage } from "./use-mark-message.ts";

type Shown = ContactState | "all";

/** What visitors wrote in the contact form. */
export function MessagesScreen() {
  const [shown, setShown] = useState<Shown>("all");
  const state = shown === "all" ? undefined : shown;
  const counts = trpc.contact.counts.useQuery().data;
  const query = trpc.contact.list.useInfiniteQuery(
    { state },
    { getNextPageParam: (page) => page.next, staleTime: 0 },
  );
  const mark = useMarkMessage();
  const messages = query.data?.pages.flatMap((page) => page.rows) ?? [];

  /** A message that is opened has been read. */
  function open(id: string | null) {
    if (messages.find((message) => message.id === id)?.state === "new")
      mark.mutate({ id: id ?? "", state: "read" });
  }

  return (
    <>
      <PageHeader title="Messages" lead="What visitors wrote in the contact form." />
      <Box mb="md">
        <StateTabs
          label="Messages shown"
          value={shown}
          onChange={setShown}
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
        empty={{ title: "No messages", text: "Nobody wrote anything that would stand here." }}
      >
        <Accordion variant="contained" classNames={{ item: classes.item }} onChange={open}>
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} onMark={mark.mutate} isMarking={mark.isPending} />
          ))}
        </Accordion>
      </ListStates>
    </>
  );
}
