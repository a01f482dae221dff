import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { VISIT_HOURS } from "#shared/visits.ts";
import { pressOnce } from "#ui/double-press.ts";
import { QrCode } from "#ui/qr-code.tsx";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { useOneShop, useShopChoices } from "../../lib/my-shops.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { Modal } from "../../ui/modal.tsx";
import { Loader, PageHeader, QueryFailure, ScreenMessage } from "../../ui/screen.tsx";
import classes from "./counter-screen.module.css";

/** The QR code of a shop's counter, for its screen or its wall. */
export function CounterScreen() {
  const shops = trpc.staff.myShops.useQuery({});
  const choices = useShopChoices();
  const oneShop = useOneShop();
  const [chosen, setChosen] = useState<string | null>(null);
  const shopId = oneShop ?? chosen;
  return (
    <>
      <div className={classes.noPrint}>
        <PageHeader title="Counter" />
      </div>
      {shops.isPending && <Loader />}
      {!oneShop && shops.data && shops.data.shops.length > 0 && (
        <Select
          className={classes.noPrint}
          label="Shop"
          description="Each shop has a code of its own"
          maw={420}
          mb="md"
          value={chosen}
          onChange={setChosen}
          {...choices}
        />
      )}
      {shopId && <ShopCounter key={shopId} shopId={shopId} />}
      {shops.data?.shops.length === 0 && (
        <ScreenMessage title="No shop" text="You see the code here once you work at a shop." />
      )}
    </>
  );
}

/** How often the page asks for the code: it may have been asleep at midnight, or somebody else made a new one. */
const REFRESH_MS = 30_000;

function ShopCounter({ shopId }: { shopId: string }) {
  const counter = trpc.counter.today.useQuery(
    { shopId },
    { refetchInterval: REFRESH_MS, refetchIntervalInBackground: true, refetchOnWindowFocus: "always" },
  );
  const { data, error, refetch } = counter;
  if (!data && error) return <QueryFailure title="The code could not be loaded" query={{ error, refetch }} />;
  if (!data) return <Loader />;
  const { shop, url, day } = data;
  return (
    <div className={classes.counter}>
      <article className={classes.poster} aria-label={`Code of ${shop.name} for today`}>
        <p className={classes.shop}>{shop.name}</p>
        <h2 className={classes.title}>Print here, without an account</h2>
        <div className={classes.code} data-off={!data.isOn || undefined}>
          <QrCode text={url} label={`QR code that opens the counter of ${shop.name}`} />
        </div>
        <ol className={classes.steps}>
          <li>Scan the code with your phone</li>
          <li>Choose your files and see the price</li>
          <li>Pay at the counter</li>
        </ol>
        <p className={classes.day}>
          For today, <time dateTime={day}>{dayText(day)}</time>
        </p>
      </article>
      <CounterActions counter={data} />
    </div>
  );
}

type Counter = RouterOutputs["counter"]["today"];

function CounterActions({ counter }: { counter: Counter }) {
  const { shop, isOn, isOpen, isShown } = counter;
  const shopId = shop.id;
  const utils = trpc.useUtils().counter.today;
  const [asking, ask] = useDisclosure();
  const onSuccess = (changed: Counter) => utils.setData({ shopId }, changed);
  const renew = trpc.counter.renew.useMutation({
    onSuccess(changed) {
      onSuccess(changed);
      ask.close();
      showDone("The counter has a new code. The old one no longer works");
    },
    onError: showFailure,
  });
  const turn = trpc.counter.switch.useMutation({ onSuccess, onError: showFailure });
  const problem = !isShown
    ? "Students do not see this shop, so the code opens nothing."
    : !isOpen
      ? "The shop is closed, so the code takes no orders."
      : null;
  return (
    <Stack gap="md" className={classes.noPrint}>
      {problem && <Alert color="orange">{problem}</Alert>}
      {!isOn && (
        <Alert color="orange">Visitors cannot order at the counter. Turn it on to use the code.</Alert>
      )}
      <Text>
        Leave this page open on the shop's screen, or print it for the wall. People scan the code, upload and
        give a name; their order is on the board under <strong>At the counter</strong> at once. They pay at
        the counter. Files and names are deleted {VISIT_HOURS} hours after the scan at the latest.
      </Text>
      <Text>
        The code changes at midnight; this page shows the new one by itself. A printed one works only today.
      </Text>
      <Group gap="xs">
        <Button onClick={() => window.print()}>Print for the wall</Button>
        <Button variant="default" onClick={ask.open}>
          New code now
        </Button>
        <Button
          variant="default"
          loading={turn.isPending}
          onClick={pressOnce(() => turn.mutate({ shopId, isOn: !isOn }))}
        >
          {isOn ? "Turn off" : "Turn on"}
        </Button>
      </Group>
      <Modal opened={asking} onClose={ask.close} title="Make a new code?">
        <Stack gap="md">
          <Text>
            Do this if the code got to people who are not at the shop. The present one stops working at once,
            also on the wall. Orders and people who are inside already go on.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={ask.close}>
              Cancel
            </Button>
            <Button loading={renew.isPending} onClick={pressOnce(() => renew.mutate({ shopId }))}>
              New code now
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  );
}

const dayFormat = new Intl.DateTimeFormat("en-IN", { dateStyle: "full", timeZone: "UTC" });

/** Such as "Monday, 23 November 2026". */
function dayText(day: string): string {
  return dayFormat.format(new Date(day));
}
