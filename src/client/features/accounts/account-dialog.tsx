import "#client/ui/theme/overlay-styles.ts";
import "@mantine/core/styles/Modal.layer.css";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./account-dialog.module.css";

interface AccountDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function AccountDialog({ title, opened, onClose, children }: AccountDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      size="sm"
      closeButtonProps={{ "aria-label": "Close", size: "lg" }}
      classNames={classes}
    >
      {children}
    </Modal>
  );
}
