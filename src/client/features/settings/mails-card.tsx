import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import "@mantine/core/styles/Switch.layer.css";
import { Button, Stack, Switch } from "@mantine/core";
import { MAIL_CHOICES, type MailChoice } from "#shared/mail-choices.ts";
import { FAILURE } from "#shared/messages.ts";
import type { MailChoiceInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import classes from "./mails-card.module.css";

const LABELS: Record<MailChoice, string> = {
  placed: "My order is placed, with all its details",
  dispatched: "My order is on its way, or ready to be picked up",
  delivered: "My order is delivered",
};

/** Which mails about orders the student wants; cancellations are always mailed. */
export function MailsCard() {
  const choices = trpc.accounts.mailChoices.useQuery(undefined, { staleTime: 0 });
  const choose = useChooseMail();
  if (choices.isError && !choices.data) {
    return (
      <Card title="Emails">
        <p role="alert">{messageOf(choices.error)}</p>
        <Button variant="default" mt="sm" onClick={() => void choices.refetch()}>
          Try again
        </Button>
      </Card>
    );
  }
  return (
    <Card title="Emails">
      <fieldset className={classes.choices}>
        <legend>Email me when</legend>
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
      <p className={classes.always}>If a shop cancels your order, you always get an email that says why.</p>
    </Card>
  );
}

/** Saves a choice: shown at once, and reverted with an error message if the server fails. */
function useChooseMail(): (choice: MailChoiceInput) => void {
  const { mailChoices } = trpc.useUtils().accounts;

  function show({ kind, wanted }: MailChoiceInput): void {
    mailChoices.setData(undefined, (known) => known && { ...known, [kind]: wanted });
  }

  const { mutate } = trpc.accounts.chooseMail.useMutation({
    async onMutate(choice) {
      await mailChoices.cancel();
      show(choice);
    },
    onError(error, { kind, wanted }) {
      show({ kind, wanted: !wanted });
      showError({ title: FAILURE.error, text: messageOf(error) });
    },
  });
  return mutate;
}
