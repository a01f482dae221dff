import { Title } from "@mantine/core";
import { momentText } from "#admin/lib/times.ts";
import classes from "./mail-facts.module.css";

interface MailFactsProps {
  mail: {
    subject: string;
    to: string;
    replyTo: string | null;
    attempts: number;
    createdAt: string;
    sentAt: string | null;
    failedAt: string | null;
  };
}

/** Whom a mail goes to, and what became of it. */
export function MailFacts({ mail }: MailFactsProps) {
  const facts = {
    To: mail.to,
    "Answers go to": mail.replyTo,
    Written: momentText(mail.createdAt),
    Sent: mail.sentAt && momentText(mail.sentAt),
    "Given up": mail.failedAt && momentText(mail.failedAt),
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
