import { Badge, UnstyledButton } from "@mantine/core";
import { recentText } from "#admin/lib/times.ts";
import type { MailState } from "#shared/schemas/mails.ts";
import classes from "./mail-row.module.css";

interface ListedMail {
  to: string;
  subject: string;
  state: MailState;
  lastError: string | null;
  createdAt: string;
}

interface MailRowProps {
  mail: ListedMail;
  /** What a sent mail is called: where no mail server is set it is kept. */
  sentLabel: string;
  onOpen: () => void;
}

const COLOUR: Record<MailState, string> = { waiting: "gray", sent: "green", failed: "red" };

export function MailRow({ mail, sentLabel, onOpen }: MailRowProps) {
  const { state, lastError } = mail;
  const label = state === "sent" ? sentLabel.toLowerCase() : state;
  return (
    <li>
      <UnstyledButton className={classes.row} onClick={onOpen}>
        <span className={classes.to}>{mail.to}</span>
        <span className={classes.subject}>{mail.subject}</span>
        <Badge variant="light" color={COLOUR[state]} c="var(--ink)">
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
