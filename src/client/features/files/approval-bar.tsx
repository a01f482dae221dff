import { Button } from "@mantine/core";
import { useState } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import classes from "./page-viewer.module.css";

interface ApprovalBarProps {
  /** Whether the pages can be seen. */
  isShown: boolean;
  onApprove: () => Promise<void>;
  onClose: () => void;
}

/** Below the pages of a converted file: what may have moved, and the button that lets it be ordered. */
export function ApprovalBar({ isShown, onApprove, onClose }: ApprovalBarProps) {
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState("");

  async function approve() {
    setSaving(true);
    setProblem("");
    try {
      await onApprove();
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  }

  return (
    <section className={classes.approval} aria-label="Check the pages">
      <p>
        <strong>It will be printed like this.</strong> Fonts, tables and page breaks may have moved: look
        through the pages. If something is wrong, save the file as a PDF on your device and add that.
      </p>
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <Button
        size="md"
        disabled={!isShown}
        loading={isSaving}
        onClick={(event) => {
          ignoreSecondPress(event);
          void approve();
        }}
      >
        Looks right
      </Button>
    </section>
  );
}
