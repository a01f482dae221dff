import { Accordion, Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { momentText, recentText } from "#admin/lib/times.ts";
import type { ContactState, MarkContactInput } from "#shared/schemas/contact.ts";
import classes from "./message-item.module.css";

interface Message {
  id: string;
  fullName: string;
  email: string;
  subject: string;
  message: string;
  createdAt: string;
  state: ContactState;
  stateBy: string | null;
  stateAt: string | null;
}

interface MessageItemProps {
  message: Message;
  onMark: (mark: MarkContactInput) => void;
  isMarking: boolean;
}

const COLOUR: Record<ContactState, string> = { new: "marigold", read: "gray", answered: "green" };

/** One message: a line that opens to its text and what can be done about it. */
export function MessageItem({ message, onMark, isMarking }: MessageItemProps) {
  const { id, state } = message;
  const other = state === "answered" ? "read" : "answered";
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <span className={classes.line} data-new={state === "new" || undefined}>
          <span className={classes.name}>{message.fullName}</span>
          <span className={classes.subject}>{message.subject || message.message}</span>
          <Badge variant="light" color={COLOUR[state]} c="var(--ink)">
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
            <Anchor href={`mailto:${message.email}`}>{message.email}</Anchor>, {momentText(message.createdAt)}
          </Text>
          <Text className={classes.text}>{message.message}</Text>
          {message.stateBy && message.stateAt && (
            <Text c="dimmed" size="sm">
              Marked {state} by {message.stateBy}, {momentText(message.stateAt)}
            </Text>
          )}
          <Group gap="xs">
            <Button component="a" href={answerUrl(message)} size="xs">
              Answer by mail
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={isMarking}
              onClick={() => onMark({ id, state: other })}
            >
              Mark as {other === "read" ? "not answered" : "answered"}
            </Button>
            {state === "read" && (
              <Button
                size="xs"
                variant="default"
                disabled={isMarking}
                onClick={() => onMark({ id, state: "new" })}
              >
                Mark as new
              </Button>
            )}
          </Group>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** Opens the person's own mail program with an answer begun. */
function answerUrl({ email, subject, fullName }: Message): string {
  const title = encodeURIComponent(`Re: ${subject || "your message to Print Store"}`);
  const body = encodeURIComponent(`Hello ${fullName},\n\n`);
  return `mailto:${email}?subject=${title}&body=${body}`;
}
