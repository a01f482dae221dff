import { Alert, Button, Drawer, Stack, Tabs, Title } from "@mantine/core";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { momentText } from "../../lib/times.ts";
import { Loader } from "../../ui/loader.tsx";
import classes from "./mail-drawer.module.css";

/** A mail's details. @param id null if none is open */
export function MailDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="xl" title="Mail">
      {id && <OpenMail id={id} onSentAgain={onClose} />}
    </Drawer>
  );
}

function OpenMail({ id, onSentAgain }: { id: string; onSentAgain: () => void }) {
  const { data: mail, error } = trpc.mail.byId.useQuery({ id }, { staleTime: 0 });
  const resend = useResendMail(onSentAgain);
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
          onClick={(event) => {
            ignoreSecondPress(event);
            resend.mutate({ id });
          }}
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
            <iframe title="The mail" className={classes.page} sandbox="" srcDoc={mail.html} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

function useResendMail(onDone: () => void) {
  const utils = trpc.useUtils();
  return trpc.mail.resend.useMutation({
    onSuccess: async () => {
      showDone("The mail is being sent again");
      onDone();
      await utils.mail.invalidate();
    },
    onError: showFailure,
  });
}

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

/** A mail's recipient and status. */
function MailFacts({ mail }: MailFactsProps) {
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
