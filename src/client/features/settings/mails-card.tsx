import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import "@mantine/core/styles/Switch.layer.css";
import { Button, Stack, Switch } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { MAIL_CHOICES, type MailChoice } from "#shared/mail-choices.ts";
import { Card } from "../print/card.tsx";
import classes from "./mails-card.module.css";
import { useChooseMail } from "./use-choose-mail.ts";

const LABELS: Record<MailChoice, string> = {
  placed: "My order is placed, with all its details",
  dispatched: "My order is on its way, or ready to be picked up",
  delivered: "My order is delivered",
};

/** Which mails about their orders the person wants; that an order is cancelled is always mailed. */
export function MailsCard() {
  const choices = trpc.accounts.mailChoices.useQuery(undefined, { staleTime: 0 });
  const choose = useChooseMail();
  if (choices.isError && !choices.data) {
    return (
      <Card title="Mails">
        <p role="alert">{messageOf(choices.error)}</p>
        <Button variant="default" mt="sm" onClick={() => void choices.refetch()}>
          Try again
        </Button>
      </Card>
    );
  }
  return (
    <Card title="Mails">
      <fieldset className={classes.choices}>
        <legend>Mail me when</legend>
        <Stack gap="sm">
          {MAIL_CHOICES.map((kind) => (
            <Switch
              key={kind}
              size="md"
              label={LABELS[kind]}
              disabled={!choices.data}
              checked={choices.data?.[kind] ?? true}
              onChange={({ currentTarget }) => choose({ kind, wanted: currentTarget.checked })}
            />
          ))}
        </Stack>
      </fieldset>
      <p className={classes.always}>When a shop cancels your order you always get a mail that says why.</p>
    </Card>
  );
}
