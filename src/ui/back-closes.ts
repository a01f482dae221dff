import type { RouterHistory } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

/**
 * Android's Back closes the topmost open layer (viewer, dialog, drawer) and nothing else. Each open layer has one history
 * entry above its page's, with the same address, of which the router does not know.
 */
interface Layer {
  close: () => void;
}

/** Key in the state of a history entry: how many entries of layers lie above the page's entry, up to this one. */
const DEPTH = "layers";

const layers: Layer[] = [];
let routerHistory: RouterHistory | null = null;
let unblock: (() => void) | null = null;
/** Whether a traversal that was started here is under way. */
let isTravelling = false;
/** Resolved when the page's own entry is the current one. */
const whenGone: (() => void)[] = [];

/**
 * Listens for Back; without it layers have no entries. Call it before the router is created: a window calls its listeners
 * in the order of their registration. The returned function takes the router's history.
 */
export function listenForBack(): (history: RouterHistory) => void {
  window.addEventListener("popstate", onPopState);
  return (history) => {
    routerHistory = history;
    // The page was reloaded while a layer was open.
    if (depthNow() > 0) schedule();
  };
}

/** While open, Back calls `close` instead of leaving the page. */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const layer = { close: () => closeNow() };
    layers.push(layer);
    schedule();
    return () => {
      const place = layers.indexOf(layer);
      if (place < 0) return;
      layers.splice(place, 1);
      schedule();
    };
  }, [isOpen]);
}

function depthNow(): number {
  return Number(window.history.state?.[DEPTH] ?? 0);
}

/** Later, so that a layer that replaces another takes over its entry. */
function schedule(): void {
  if (routerHistory) setTimeout(adjustEntries);
}

/** Adds or removes entries until there is one for each layer. */
function adjustEntries(): void {
  if (isTravelling) return;
  const depth = depthNow();
  if (depth > layers.length) {
    isTravelling = true;
    window.history.go(layers.length - depth);
    return;
  }
  for (let next = depth + 1; next <= layers.length; next++) {
    // The router replaces `pushState` of the object; it must not take this for a navigation.
    History.prototype.pushState.call(window.history, { ...window.history.state, [DEPTH]: next }, "");
  }
  if (layers.length > 0) unblock ??= routerHistory?.block({ enableBeforeUnload: false, blockerFn }) ?? null;
  else {
    unblock?.();
    unblock = null;
    for (const goOn of whenGone.splice(0)) goOn();
  }
}

/** A navigation from within a layer removes its entries first, so that Back leads to the page and not to a dead entry. */
async function blockerFn(): Promise<boolean> {
  layers.splice(0);
  await new Promise<void>((resolve) => {
    whenGone.push(resolve);
    adjustEntries();
  });
  return false;
}

function onPopState(event: PopStateEvent): void {
  if (isTravelling) {
    isTravelling = false;
    event.stopImmediatePropagation();
    adjustEntries();
  } else if (event.state?.__TSR_key !== routerHistory?.location.state.__TSR_key) {
    // Another page's entry, which may be one of a layer that is not open any more.
    schedule();
  } else if (layers.length > 0 || depthNow() > 0) {
    event.stopImmediatePropagation();
    while (layers.length > depthNow()) layers.pop()?.close();
    schedule();
  }
  // Otherwise it is for the router, which goes forward again after a Back that a screen has blocked.
}
