import { Button } from "@mantine/core";
import { useDocumentVisibility } from "@mantine/hooks";
import { type FocusEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useStore } from "zustand";
import { LinkButton } from "../link-button.tsx";
import { popups, type ShownPopup, successMs } from "./popup-store.ts";
import classes from "./success-popup.module.css";

/**
 * A success that goes by itself. It takes no focus and covers only the header, so the page is usable at once. It stays
 * while it is hovered, touched or focused, while an error lies over it, and while the student looks at another app.
 */
export function SuccessPopup({ popup, isNextWaiting }: { popup: ShownPopup; isNextWaiting: boolean }) {
  const { title, text, action } = popup;
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<EventTarget | null>(null);
  const [isTouched, setTouched] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isSeen = useDocumentVisibility() === "visible";
  const isCovered = useStore(popups, (shown) => shown.some(({ kind }) => kind === "error"));
  const stays = isTouched || isFocused || isCovered || !isSeen;
  const duration = successMs(popup, isNextWaiting);

  function close() {
    const returnsFocus = card.current?.contains(document.activeElement);
    popup.close();
    if (returnsFocus && focusedBefore.current instanceof HTMLElement)
      focusedBefore.current.focus({ preventScroll: true });
  }

  const closeByItself = useEffectEvent(close);
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => closeByItself(), duration);
    return () => clearTimeout(timer);
  }, [stays, duration]);

  const closeByKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === "Escape" && !document.querySelector("[aria-modal=true]")) close();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => closeByKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);

  function follow({ type, currentTarget, relatedTarget }: FocusEvent) {
    if (currentTarget.contains(relatedTarget as Node | null)) return;
    if (type === "focus") focusedBefore.current = relatedTarget;
    setFocused(type === "focus");
  }

  return (
    <div
      ref={card}
      role="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
      className={classes.popup}
      onPointerEnter={() => setTouched(true)}
      onPointerLeave={() => setTouched(false)}
      onPointerCancel={() => setTouched(false)}
      onFocus={follow}
      onBlur={follow}
    >
      <svg className={classes.mark} viewBox="0 0 56 56" aria-hidden="true">
        <circle cx="28" cy="28" r="26" />
        <path d="m17 29 8 8 15-17" />
      </svg>
      <div className={classes.words}>
        <p id={`${id}-title`} className={classes.title}>
          {title}
        </p>
        {text && (
          <p id={`${id}-text`} className={classes.text}>
            {text}
          </p>
        )}
      </div>
      <div className={classes.actions}>
        {action && "to" in action && (
          <LinkButton to={action.to} variant="default" className={classes.action} onClick={popup.close}>
            {action.label}
          </LinkButton>
        )}
        {action && "act" in action && (
          <Button
            variant="default"
            className={classes.action}
            onClick={() => {
              action.act();
              close();
            }}
          >
            {action.label}
          </Button>
        )}
        <Button variant="subtle" className={classes.action} onClick={close}>
          OK
        </Button>
      </div>
    </div>
  );
}
