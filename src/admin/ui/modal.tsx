import { Modal as MantineModal, type ModalProps } from "@mantine/core";
import { useBackCloses } from "#ui/back-closes.ts";

/** A dialog. Android's Back closes it, and leaves the screen below it where it is. */
export function Modal(props: ModalProps) {
  useBackCloses(props.opened, props.onClose);
  return <MantineModal {...props} />;
}
