import "#client/ui/theme/form-styles.ts";
import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { MAX_REASON } from "#shared/schemas/reprints.ts";
import classes from "./report.module.css";
import { ReportPhotosField } from "./report-photos-field.tsx";
import { useReportPhotos } from "./use-report-photos.ts";

interface ReportFormProps {
  orderId: string;
  onCancel: () => void;
}

/** Says what is printed wrongly, and shows it. */
export function ReportForm({ orderId, onCancel }: ReportFormProps) {
  const { reprints } = trpc.useUtils();
  const [reason, setReason] = useState("");
  const [isEmpty, setEmpty] = useState(false);
  const photos = useReportPhotos();
  const report = trpc.reprints.report.useMutation({
    onSettled: () => reprints.own.invalidate({ orderId }),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setEmpty(reason.trim() === "");
    if (reason.trim() && !photos.isSending) report.mutate({ orderId, reason, photos: photos.ids });
  }

  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      <Textarea
        size="md"
        label="What is wrong?"
        description="Such as which pages, and what should be there"
        autoFocus
        required
        withAsterisk={false}
        rows={4}
        maxLength={MAX_REASON}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={isEmpty ? "Please say what is wrong" : undefined}
      />
      <ReportPhotosField {...photos} />
      {report.error && (
        <p role="alert" className={classes.problem}>
          {messageOf(report.error)}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" loading={report.isPending} disabled={photos.isSending}>
          Send the report
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
