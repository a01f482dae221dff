import { Button, Chip, Group, Text, Textarea } from "@mantine/core";
import { type ComponentPropsWithRef, type FormEvent, useState } from "react";
import {
  HOLD_DAYS,
  HOLDABLE_STATES,
  type HoldEnd,
  holdReasons,
  isOverdue,
  MAX_HOLD_REASON,
} from "#shared/holds.ts";
import { indianMoment } from "#shared/indian-time.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { takeLostFocus } from "#ui/focus.ts";
import { Said } from "#ui/said.tsx";
import { trpc } from "#ui/trpc.ts";
import { useNow } from "../../lib/clock.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { useShortcuts } from "../../lib/shortcuts.tsx";
import classes from "./order-hold.module.css";
import { heldText } from "./order-labels.ts";
import type { OrderDetail } from "./order-types.ts";
import { PanelSection } from "./panel-section.tsx";

const END_TEXTS: Record<HoldEnd, string> = {
  released: "Released by the shop",
  changed: "The student changed the order",
  cancelled: "The order was cancelled",
  "asked again": "Asked again",
};

/** Puts an order on hold when something is wrong with it, shows the student's answer, and releases it. */
export function OrderHold({ order }: { order: OrderDetail }) {
  const [isAsking, setAsking] = useState(false);
  /** Each button is gone once it has worked; the one in its place takes the focus. */
  const [isUsed, setUsed] = useState(false);
  const next = isUsed ? takeLostFocus : undefined;
  const ask = () => {
    setUsed(true);
    setAsking(true);
  };
  const [open] = order.holds.filter(({ resolvedAt }) => resolvedAt === null);
  const canHold = HOLDABLE_STATES.includes(order.state) && (!open || open.answeredAt !== null);
  // Somebody else was first: the form must not come back by itself.
  if (isAsking && !canHold) setAsking(false);
  useShortcuts("Hold", canHold ? [{ keys: "W", label: "Something is wrong: put it on hold", run: ask }] : []);
  if (order.holds.length === 0 && !canHold) return null;
  return (
    <PanelSection title={open ? "On hold" : "Is something wrong?"}>
      <div className={classes.column}>
        {order.holds.map((hold) => (
          <HoldView key={hold.id} order={order} hold={hold} />
        ))}
        {open && <Release ref={next} order={order} holdId={open.id} onPress={() => setUsed(true)} />}
        {canHold &&
          (isAsking ? (
            <HoldForm order={order} onClose={() => setAsking(false)} />
          ) : (
            <div>
              <Button ref={next} size="compact-sm" variant="default" onClick={ask}>
                {open ? "Ask again" : "Put on hold"}
              </Button>
            </div>
          ))}
      </div>
    </PanelSection>
  );
}

function HoldView({ order, hold }: { order: OrderDetail; hold: OrderDetail["holds"][number] }) {
  const now = useNow();
  const { reason, by, at, answer, answeredAt, resolvedAt, how } = hold;
  return (
    <div className={classes.hold} data-open={resolvedAt === null || undefined}>
      <Said by={by} when={indianMoment(at)} text={reason} />
      {answeredAt && <Said by={order.student.fullName} when={indianMoment(answeredAt)} text={answer} />}
      {resolvedAt && how && (
        <Text size="xs" c="dimmed">
          {END_TEXTS[how]}, {indianMoment(resolvedAt)}
        </Text>
      )}
      {!resolvedAt && isOverdue(hold, new Date(now)) && (
        <Text size="sm" fw={600}>
          No answer for {HOLD_DAYS} days: call the student, release the order or cancel it.
        </Text>
      )}
    </div>
  );
}

interface ReleaseProps extends Pick<ComponentPropsWithRef<"button">, "ref"> {
  order: OrderDetail;
  holdId: string;
  onPress: () => void;
}

function Release({ ref, order, holdId, onPress }: ReleaseProps) {
  const { board } = trpc.useUtils();
  const release = trpc.holds.release.useMutation({
    onSuccess: () => showDone(`Order ${order.number} was released`),
    onError: showFailure,
    onSettled: () => board.invalidate(),
  });
  return (
    <Group gap="xs">
      <Button
        ref={ref}
        loading={release.isPending}
        onClick={pressOnce(() => {
          onPress();
          release.mutate({ orderId: order.id, holdId });
        })}
      >
        Release
      </Button>
      <Text size="xs" c="dimmed">
        It can then {order.state === "printed" ? "leave the shop" : "be printed"}.
      </Text>
    </Group>
  );
}

/** Asks for a reason: a ready-made one with one press, or an own text. */
function HoldForm({ order, onClose }: { order: OrderDetail; onClose: () => void }) {
  const { board } = trpc.useUtils();
  const [reason, setReason] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const hold = trpc.holds.hold.useMutation({
    onSuccess() {
      onClose();
      showDone(heldText(order));
    },
    onError(error) {
      if (codeOf(error) !== "CONFLICT") return;
      // Somebody else was first. What they asked or did is shown in place of this form, which must not come back later.
      onClose();
      showFailure(error);
    },
    onSettled: () => board.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setEmpty(reason.trim() === "");
    if (reason.trim() === "") event.currentTarget.querySelector("textarea")?.focus();
    if (reason.trim() && !hold.isPending) hold.mutate({ orderId: order.id, reason: reason.trim() });
  }

  return (
    <form noValidate onSubmit={submit} className={classes.column}>
      <Chip.Group value={reason} onChange={(value) => setReason(String(value))}>
        <Group gap={6} role="group" aria-label="Ready-made reasons">
          {holdReasons(order.fulfilment).map((ready) => (
            <Chip key={ready} value={ready} size="xs" variant="outline">
              {ready}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Textarea
        label="What is wrong (the student reads this)"
        autosize
        minRows={1}
        maxRows={5}
        maxLength={MAX_HOLD_REASON}
        autoFocus
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={
          isEmpty && reason.trim() === "" ? "Please say what is wrong" : hold.error && messageOf(hold.error)
        }
      />
      <Group gap="xs">
        <Button type="submit" loading={hold.isPending} onClick={ignoreSecondPress}>
          Put on hold
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </Group>
    </form>
  );
}
