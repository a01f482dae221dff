import { ActionIcon, Button, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { counted } from "#shared/format.ts";
import { type BoardEvent, LIVE_SIGN_MS, type OrderEvent } from "#shared/live-events.ts";
import { followInAllTabs, type LiveStatus } from "#ui/live-events.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";
import TbBell from "~icons/tabler/bell";
import TbBellOff from "~icons/tabler/bell-off";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { useCheckSession } from "../../lib/session.ts";
import { useSessionEnd } from "../../lib/session-end.ts";
import { isMoving, LIST_KEYS } from "../order/order-cache.ts";
import classes from "./live-orders.module.css";

interface LiveState {
  status: LiveStatus;
  /** Orders that arrived since the last click or key in this tab. */
  unseen: number;
}

export const useLive = create<LiveState>(() => ({ status: "connecting", unseen: 0 }));

/** Whether this browser plays a chime for new orders. */
const useSound = create(persist(() => ({ isOn: true }), { name: "console-sound" }));

/** What the browser allows this tab: sound only after a click or key, desktop notifications only when asked. */
const useAllowed = create<{ sound: boolean; notifications: NotificationPermission | "unsupported" }>(() => ({
  sound: false,
  notifications: "Notification" in globalThis ? Notification.permission : "unsupported",
}));

/** Keeps the lists of orders up to date and announces new orders, on every screen of the console. */
export function LiveOrders() {
  useLiveOrders(useCurrentShop());
  useResetOnInput();
  const unseen = useLive(({ unseen }) => unseen);
  useTitleCount(unseen);
  return <VisuallyHidden role="status">{unseen > 0 && counted(unseen, "new order")}</VisuallyHidden>;
}

/** A click or a key resets the count of new orders; the first one also allows the page to play sound. */
function useResetOnInput(): void {
  useEffect(() => {
    const reset = () => {
      allowChime();
      useLive.setState({ unseen: 0 });
    };
    // Not on pointerdown: what it removes from the header may move what is being pressed.
    for (const kind of ["click", "keydown"]) window.addEventListener(kind, reset);
    return () => {
      for (const kind of ["click", "keydown"]) window.removeEventListener(kind, reset);
    };
  }, []);
}

const COUNT = /^\(\d+\) /;

/** Puts the count before the tab's title, whichever screen sets the title; nothing for 0. */
function useTitleCount(count: number): void {
  useEffect(() => {
    const show = () => {
      const title = document.title.replace(COUNT, "");
      const counted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== counted) document.title = counted;
    };
    const watcher = new MutationObserver(show);
    watcher.observe(document.head, { subtree: true, childList: true, characterData: true });
    show();
    return () => watcher.disconnect();
  }, [count]);
}

/** A sign may be late by this side of ten seconds. */
const SILENCE_MS = 2 * LIVE_SIGN_MS - 1000;
/** How often to look for changes where no live events come, such as behind a virus scanner that keeps them back. */
const REFETCH_MS = 30_000;

/** Updates lists, count and sound by the live events. @param shopId announce only this shop's orders */
function useLiveOrders(shopId: string | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const checkSession = useCheckSession();
  const isEnded = useSessionEnd(({ user }) => user !== null);

  const announce = useEffectEvent((event: BoardEvent) => {
    if (event.kind !== "placed" || (shopId && event.shopId !== shopId)) return;
    useLive.setState(({ unseen }) => ({ unseen: unseen + 1 }));
    if (useSound.getState().isOn) void chime();
    notifyDesktop(useLive.getState().unseen);
  });

  useEffect(() => {
    if (isEnded) return;
    const lists = createListRefresh(queryClient, utils);
    let polling: ReturnType<typeof setInterval> | undefined;
    const stop = followInAllTabs("board.live", {
      onEvent(event) {
        if (event.kind === "alive") return;
        lists.note(event);
        announce(event);
      },
      onStatus(status) {
        useLive.setState({ status });
        if (status === "live") void queryClient.refetchQueries({ type: "active", predicate: hasFailed });
        if (status === "lost") polling ??= setInterval(() => lists.note({ kind: "sync" }), REFETCH_MS);
        else {
          clearInterval(polling);
          polling = undefined;
        }
      },
      onSessionEnded: () => void checkSession(),
      silenceMs: SILENCE_MS,
    });
    return () => {
      stop();
      clearInterval(polling);
      lists.stop();
    };
  }, [queryClient, utils, checkSession, isEnded]);
}

/** Such as while there was no connection. */
function hasFailed({ state }: Query): boolean {
  return state.status === "error";
}

/** The chime's two tones; `at` in seconds from its start. */
const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 1174.7, at: 0.16 },
];
const TONE_SECONDS = 0.5;
const LOUDNESS = 0.18;
/** Orders within this time chime once. */
const CHIME_PAUSE_MS = 3000;

let audio: AudioContext | undefined;

/** Call it on a click or a key: browsers let a page play sound only after one. */
function allowChime(): void {
  audio ??= new AudioContext();
  void audio.resume().then(() => useAllowed.setState({ sound: true }));
}

/** Tells of new orders outside the browser while this tab is not in sight; all tabs share one notification. */
function notifyDesktop(unseen: number): void {
  if (!document.hidden || useAllowed.getState().notifications !== "granted") return;
  const notification = new Notification(unseen === 1 ? "New order" : `${unseen} new orders`, {
    body: "Print Store",
    tag: "print-store-orders",
  });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}

/** Chimes in one tab of those that may play sound, at most once in `CHIME_PAUSE_MS`. */
async function chime(): Promise<void> {
  const context = audio;
  if (!context) return;
  if (!navigator.locks) return play(context);
  await navigator.locks.request("print-store-chime", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    play(context);
    await new Promise((resolve) => setTimeout(resolve, CHIME_PAUSE_MS));
  });
}

function play(context: AudioContext): void {
  for (const { hertz, at } of TONES) {
    const start = context.currentTime + at;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context);
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}

/** The lists are fetched at most this often, however many orders come. */
const PAUSE_MS = 1000;
/** How soon to try again while orders are being moved or the lists are being fetched. */
const BUSY_MS = 150;

interface ListRefresh {
  /** Schedules the refetch of what this event changes. */
  note: (event: OrderEvent | { kind: "sync" }) => void;
  stop: () => void;
}

/** Refetches the lists after events, several events at once. */
function createListRefresh(queryClient: QueryClient, { board, reprints, staff }: StoreUtils): ListRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let areOrdersDue = false;

  function refresh(): void {
    timer = undefined;
    if (isMoving(queryClient) || isFetchingLists(queryClient)) {
      schedule(BUSY_MS);
    } else {
      lastAt = performance.now();
      for (const queryKey of LIST_KEYS) void queryClient.invalidateQueries({ queryKey });
      if (areOrdersDue) void board.order.invalidate();
      areOrdersDue = false;
    }
  }

  function schedule(inMs: number): void {
    timer ??= setTimeout(refresh, inMs);
  }

  return {
    note(event) {
      const concerned = event.kind === "sync" ? undefined : { orderId: event.orderId };
      void reprints.ofOrder.invalidate(concerned);
      // The person may have got or lost a shop.
      if (event.kind === "sync") void staff.myShops.invalidate();
      // While orders are being moved, an answer may be older than the last move on the screen.
      const isEarly = isMoving(queryClient);
      if (isEarly) areOrdersDue = true;
      else void board.order.invalidate(concerned);
      if (isEarly || event.kind !== "noted") schedule(Math.max(0, lastAt + PAUSE_MS - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

function isFetchingLists(queryClient: QueryClient): boolean {
  return LIST_KEYS.some((queryKey) => queryClient.isFetching({ queryKey }) > 0);
}

const STATUS_TEXTS: Record<LiveStatus, string> = {
  connecting: "Connecting…",
  live: "Live",
  lost: "Connection lost",
};

/** The state of the live connection, and the switch of the chime. */
export function LiveBadge() {
  const status = useLive((state) => state.status);
  const { isOn } = useSound();
  const label = isOn ? "Mute the sound for new orders" : "Sound a chime for new orders";
  return (
    <>
      <span className={classes.status} data-status={status} role="status">
        <span className={classes.dot} aria-hidden="true" />
        {STATUS_TEXTS[status]}
      </span>
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={label}
          onClick={() => useSound.setState({ isOn: !isOn })}
        >
          {isOn ? <TbBell size={18} /> : <TbBellOff size={18} />}
        </ActionIcon>
      </Tooltip>
      <BlockedAlerts isSoundOn={isOn} isLost={status === "lost"} />
    </>
  );
}

interface BlockedAlertsProps {
  isSoundOn: boolean;
  /** Then the header has no room for more, and there is nothing to be notified of. */
  isLost: boolean;
}

/** Says what the browser does not allow yet, with the button that asks it; nothing if new orders are heard and seen. */
function BlockedAlerts({ isSoundOn, isLost }: BlockedAlertsProps) {
  const { sound, notifications } = useAllowed();
  const ask = async () => useAllowed.setState({ notifications: await Notification.requestPermission() });
  return (
    <>
      {/* The click itself allows it. */}
      {isSoundOn && !sound && (
        <Button size="compact-sm" variant="light" c="var(--ink)">
          Turn sound on
        </Button>
      )}
      {notifications === "default" && !isLost && (
        <Button size="compact-sm" variant="light" c="var(--ink)" onClick={() => void ask()}>
          Allow notifications
        </Button>
      )}
      {notifications === "denied" && !isLost && (
        <Text size="xs" c="dimmed" visibleFrom="md">
          This browser blocks notifications
        </Text>
      )}
    </>
  );
}
