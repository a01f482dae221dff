import { ScriptOnce } from "@tanstack/react-router";
import { type ReactNode, useLayoutEffect } from "react";
import { OWNER_KEY } from "#ui/personal-data.ts";
import { draftName, placedDraft } from "./draft.ts";
import { FILES_KEPT_MS } from "./draft-store.ts";
import classes from "./order-columns.module.css";

/** The steps of an order with the price beside or below them. */
export function OrderColumns({ children, price }: { children: ReactNode; price: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.steps}>{children}</div>
      {price}
    </div>
  );
}

interface HiddenUntilReadProps {
  userId: string;
  shopId: string;
  isRead: boolean;
}

/** Hides what a stored draft would move until it is read, which is after hydration. */
export function HiddenUntilRead({ userId, shopId, isRead }: HiddenUntilReadProps) {
  useLayoutEffect(() => {
    if (isRead) delete document.documentElement.dataset.draft;
  }, [isRead]);
  return <ScriptOnce>{markDraftScript(userId, shopId)}</ScriptOnce>;
}

/**
 * Inline script that marks a page whose draft fills in after hydration, so that what would move is hidden until then:
 * "files", also for those that can be brought from another shop, or "again" for one with a note on top.
 */
function markDraftScript(userId: string, shopId: string): string {
  const [owner, name, prefix, placed] = [
    userId,
    draftName(userId, shopId),
    draftName(userId, ""),
    draftName(userId, placedDraft("")),
  ].map((text) => JSON.stringify(text).replaceAll("<", "\\u003c"));
  return `try{const all=localStorage,read=(name)=>JSON.parse(all.getItem(name))||{files:[]},draft=read(${name});
if(all.getItem("${OWNER_KEY}")===${owner}&&(draft.again||draft.files.length||Object.keys(all).some((name)=>
name.startsWith(${prefix})&&!name.startsWith(${placed})&&read(name).files.some((file)=>file.chosenAt>Date.now()-${FILES_KEPT_MS}))))
document.documentElement.dataset.draft=draft.again?"again":"files"}catch{}`.replaceAll("\n", "");
}
