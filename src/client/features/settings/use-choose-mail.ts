import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { showError } from "#client/ui/popup/popup.store.ts";
import { FAILURE } from "#shared/messages.ts";
import type { MailChoiceInput } from "#shared/schemas/mail-choices.ts";

/** Takes a choice of a mail: shown at once, and taken back with a word why when the server does not keep it. */
export function useChooseMail(): (choice: MailChoiceInput) => void {
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
      void showError({ title: FAILURE.error, text: messageOf(error) });
    },
  });
  return mutate;
}
