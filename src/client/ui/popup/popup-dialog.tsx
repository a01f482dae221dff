import "../theme/overlay-styles.ts";
import "@mantine/core/styles/Modal.layer.css";
import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { LinkButton } from "../link-button.tsx";
import type { ShownPopup } from "./popup.store.ts";
import classes from "./popup-dialog.module.css";

/** A success of one line closes by itself; everything else stays until it is closed. */
const GLANCE_MS = 4000;

export function PopupDialog({ popup }: { popup: ShownPopup }) {
  const { kind, title, text, link } = popup;
  const [opened, { close }] = useDisclosure(true);
  const leavesByItself = kind === "success" && !text;
  useFocusReturn();

  useEffect(() => {
    if (!leavesByItself) return;
    const timer = setTimeout(close, GLANCE_MS);
    return () => clearTimeout(timer);
  }, [leavesByItself, close]);

  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      onExitTransitionEnd={popup.close}
      centered
      size="sm"
      zIndex={600}
      returnFocus={false}
      classNames={{ content: classes.popup }}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        <Modal.Body className={classes.body} data-kind={kind}>
          {kind === "success" ? (
            <CheckMark className={classes.mark} />
          ) : (
            <CrossMark className={classes.mark} />
          )}
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {text && <p className={classes.text}>{text}</p>}
          <div className={classes.ways}>
            <Button onClick={close} data-autofocus className={classes.ok}>
              OK
            </Button>
            {link && (
              <LinkButton to={link.to} variant="default" onClick={close}>
                {link.label}
              </LinkButton>
            )}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Returns the focus when the popup unmounts. Mantine's own return only works for a dialog that stays mounted. */
function useFocusReturn(): void {
  const [focusedBefore] = useState(() => document.activeElement);
  useEffect(() => {
    return () => {
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true });
    };
  }, [focusedBefore]);
}

interface MarkProps {
  className: string | undefined;
}

function CheckMark({ className }: MarkProps) {
  return (
    <svg className={className} viewBox="0 0 56 56" aria-hidden="true">
      <circle cx="28" cy="28" r="26" />
      <path d="m17 29 8 8 15-17" />
    </svg>
  );
}

function CrossMark({ className }: MarkProps) {
  return (
    <svg className={className} viewBox="0 0 56 56" aria-hidden="true">
      <circle cx="28" cy="28" r="26" />
      <path d="M20 20l16 16M36 20 20 36" />
    </svg>
  );
}
