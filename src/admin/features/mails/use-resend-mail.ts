import { showDone, showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";

export function useResendMail(onDone: () => void) {
  const utils = trpc.useUtils();
  return trpc.mail.resend.useMutation({
    onSuccess: async () => {
      showDone("The mail is on its way again");
      onDone();
      await utils.mail.invalidate();
    },
    onError: showFailure,
  });
}
