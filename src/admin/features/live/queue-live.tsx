import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { QueueEvent } from "#shared/queue-events.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";
import { useCurrentShop } from "../../lib/current-shop.ts";
import { isMoving, LIST_KEYS } from "../order/queue-keys.ts";
import { useLive, useSound } from "./live.store.ts";
import { followSharedQueue } from "./shared-stream.ts";

/** Stands in the frame, so that a new order is heard on every screen. Draws nothing. */
export function QueueLive() {
  useQueueLive(useCurrentShop());
  useTouch();
  useTitleCount(useLive(({ unseen }) => unseen));
  return null;
}

/** From the first click or key on, orders are heard; every one says that what came has been seen. */
function useTouch(): void {
  useEffect(() => {
    const touch = () => {
      allowChime();
      useLive.setState({ unseen: 0 });
    };
    for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, touch);
    return () => {
      for (const kind of ["pointerdown", "keydown"]) window.removeEventListener(kind, touch);
    };
  }, []);
}

const COUNT = /^\(\d+\) /;

/** Puts a number before the tab's title, whichever screen sets the title; nothing for 0. */
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

/** Follows the queue, and keeps lists, count and sound up with it. @param shopId whose orders are announced; all without */
function useQueueLive(shopId: string | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();

  const announce = useEffectEvent((event: QueueEvent) => {
    if (event.kind !== "placed" || (shopId && event.shopId !== shopId)) return;
    useLive.setState(({ unseen }) => ({ unseen: unseen + 1 }));
    if (useSound.getState().isOn) void chime();
  });

  useEffect(() => {
    const lists = createListRefresh(queryClient, utils);
    const leave = followSharedQueue(utils.client, {
      onEvent(event) {
        lists.note(event);
        announce(event);
      },
      onStatus: (status) => useLive.setState({ status }),
    });
    return () => {
      leave();
      lists.stop();
    };
  }, [queryClient, utils]);
}

/** Two tones, as at a shop's counter: hertz, and when each begins in seconds. */
const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 1174.7, at: 0.16 },
];
const TONE_SECONDS = 0.5;
const LOUDNESS = 0.18;
/** Orders that come close together chime once. */
const CHIME_PAUSE_MS = 3000;

let audio: AudioContext | undefined;

/** Browsers let a page be heard only after somebody has clicked or typed in it; called then. */
function allowChime(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** Chimes in one of the tabs in which that is allowed, and then not again for a moment. */
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

/** The lists are fetched at most so often, however many orders come. */
const PAUSE_MS = 1000;
const BUSY_MS = 150;

export interface ListRefresh {
  /** Has what this event makes out of date fetched again soon. */
  note: (event: QueueEvent) => void;
  stop: () => void;
}

/** Keeps what is on the screen up to date, without fetching the lists for every single event. */
function createListRefresh(queryClient: QueryClient, { queue, reprints }: StoreUtils): ListRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let areOrdersDue = false;

  function refresh(): void {
    timer = undefined;
    if (isMoving(queryClient) || isFetchingLists(queryClient)) {
      plan(BUSY_MS);
    } else {
      lastAt = performance.now();
      for (const queryKey of LIST_KEYS) void queryClient.invalidateQueries({ queryKey });
      if (areOrdersDue) void queue.order.invalidate();
      areOrdersDue = false;
    }
  }

  function plan(inMs: number): void {
    timer ??= setTimeout(refresh, inMs);
  }

  return {
    note(event) {
      const concerned = event.kind === "sync" ? undefined : { orderId: event.orderId };
      void reprints.ofOrder.invalidate(concerned);
      // While orders are being moved, an answer may be older than what the person did last.
      const isEarly = isMoving(queryClient);
      if (isEarly) areOrdersDue = true;
      else void queue.order.invalidate(concerned);
      if (isEarly || event.kind !== "noted") plan(Math.max(0, lastAt + PAUSE_MS - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

function isFetchingLists(queryClient: QueryClient): boolean {
  return LIST_KEYS.some((queryKey) => queryClient.isFetching({ queryKey }) > 0);
}
