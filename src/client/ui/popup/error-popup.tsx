import "../overlay-styles.ts";
import "@mantine/core/styles/Modal.layer.css";
import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useBackCloses } from "#ui/back-closes.ts";
import classes from "./error-popup.module.css";
import type { ShownPopup } from "./popup-store.ts";

/** An error over the page, until it is dismissed. */
export function ErrorPopup({ popup }: { popup: ShownPopup }) {
  const { title, text } = popup;
  const [opened, { close }] = useDisclosure(true);
  useFocusReturn();
  useBackCloses(opened, close);
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      onExitTransitionEnd={popup.close}
      centered
      size="sm"
      // Who has enlarged the page must be able to make it small again to see all of this.
      removeScrollProps={{ allowPinchZoom: true }}
      zIndex={600}
      returnFocus={false}
      classNames={{ content: classes.popup }}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content>
        <Modal.Body className={classes.body}>
          <svg className={classes.mark} viewBox="0 0 56 56" aria-hidden="true">
            <circle cx="28" cy="28" r="26" />
            <path d="M20 20l16 16M36 20 20 36" />
          </svg>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {text && <p className={classes.text}>{text}</p>}
          <Button onClick={close} data-autofocus className={classes.ok}>
            OK
          </Button>
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
