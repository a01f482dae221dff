import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import type { OwnReprint } from "#server/orders/reprints/reprints.service.ts";
import { pagesText } from "#shared/print-pages.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useStillHere } from "../../lib/connection.ts";
import { Problem } from "../../ui/form-alert.tsx";
import { showSuccess } from "../../ui/popup/popup-store.ts";
import { findFileProblem, type PrintFile, summariseUploads } from "../files/print-file.ts";
import { type FileState, isUnderWay, needsStudent, useFileStates } from "../files/upload-phases.ts";
import { placedDraft } from "../print/draft.ts";
import { clearDraft, openDraft, useDraft } from "../print/draft-store.ts";
import { FilesCard } from "../print/files-card.tsx";
import classes from "./report.module.css";
import { choosePagesAgain, otherPrinting, wishedPages } from "./reprint-files.ts";

interface ReprintUploadProps {
  order: OwnOrderDetail;
  user: CurrentUser;
  /** The most pages that all files may have together. */
  maxPages: number;
  /** The order's files and the pages that it printed. */
  printed: OwnReprint["files"];
}

/** Uploads the files again, as they were deleted once printed, and orders the reprint. */
export function ReprintUpload({ order: original, user, maxPages, printed }: ReprintUploadProps) {
  const orderId = original.id;
  const draftId = placedDraft(orderId);
  const { draft, chosen } = useDraft(user._id, draftId);
  useEffect(() => {
    const files = choosePagesAgain(draft.files, printed);
    if (files.some((file, index) => file !== draft.files[index])) chosen.change(() => files);
  }, [draft.files, chosen, printed]);
  const obstacle = findObstacle(draft.files, useFileStates(draft.files), maxPages);
  const others = otherPrinting(draft.files, printed, original);
  const { reprints, orders } = trpc.useUtils();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const noteId = useId();
  const order = trpc.reprints.order.useMutation({
    onSuccess: async ({ id, number }) => {
      clearDraft(openDraft(user._id, draftId));
      if (isStillHere()) await navigate({ to: "/orders/$id", params: { id } });
      showSuccess({ title: "Reprint ordered", text: `It is order ${number}, free of charge.` });
    },
    onSettled: () => Promise.all([reprints.own.invalidate({ orderId }), orders.mine.invalidate()]),
  });

  function send() {
    const { filesUrl, orderPageData } = summariseUploads(draft.files);
    order.mutate({ orderId, filesUrl, pageRanges: wishedPages(orderPageData) });
  }

  return (
    <div className={classes.order}>
      <FilesCard chosen={chosen} files={draft.files} />
      {others.map((text) => (
        <Problem key={text} role="status" message={text} />
      ))}
      {order.error && <Problem message={messageOf(order.error)} />}
      <div className={classes.buttons}>
        <Button
          size="md"
          disabled={obstacle !== null}
          loading={order.isPending}
          aria-describedby={noteId}
          onClick={send}
        >
          Order the reprint
        </Button>
      </div>
      <p id={noteId} className={classes.hint}>
        {obstacle ??
          `${others.length > 0 ? "Everything else" : "Same options, copies and delivery"} as before, free of charge.`}
      </p>
    </div>
  );
}

/** Why the reprint cannot be ordered yet; null when it can. */
function findObstacle(files: readonly PrintFile[], states: FileState[], maxPages: number): string | null {
  const { totalPages } = summariseUploads(files);
  if (states.some(isUnderWay)) return "Your files are still being uploaded";
  if (totalPages === 0) return "Add the files of this order again";
  const left = files[states.findIndex(needsStudent)];
  // There is one reprint only: nothing is left out of it without the student's knowledge.
  if (left) return `“${left.name}” was not uploaded. Choose it again or remove it first`;
  const wrong = findFileProblem(files);
  if (wrong || totalPages <= maxPages) return wrong;
  return `The order had ${pagesText(maxPages)}, and these are ${totalPages}. Choose which pages to print`;
}
