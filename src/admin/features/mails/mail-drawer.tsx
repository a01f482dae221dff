import { Alert, Button, Drawer, Stack, Tabs } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./mail-drawer.module.css";
import { MailFacts } from "./mail-facts.tsx";
import { useResendMail } from "./use-resend-mail.ts";

/** One mail beside the list. @param id null while none is open */
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
  if (!mail) return <Waiting />;
  return (
    <Stack gap="md">
      <MailFacts mail={mail} />
      {mail.resendable ? (
        <Button
          className={classes.resend}
          variant="default"
          loading={resend.isPending}
          onClick={(event) => {
            holdPlace(event);
            resend.mutate({ id });
          }}
        >
          Send again
        </Button>
      ) : (
        <Alert color="gray">
          It held a code or a link that opens an account. That is not kept, so it cannot be sent again.
        </Alert>
      )}
      {mail.text !== null && mail.html !== null && mail.resendable && (
        <Tabs defaultValue="text" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="text">Text</Tabs.Tab>
            <Tabs.Tab value="html">As mail programs show it</Tabs.Tab>
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
