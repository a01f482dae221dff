import "../../ui/form-styles.ts";
import { Button, Loader, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useMemo, useState } from "react";
import { z } from "zod";
import type { Procedure } from "#shared/permissions.ts";
import { MAX_PHOTO_BYTES, PHOTO_TOO_LARGE } from "#shared/photos.ts";
import { MAX_REPORT_PHOTOS } from "#shared/reprints.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { MAX_REASON } from "#shared/schemas/reprints.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { FileButton } from "#ui/file-button.tsx";
import { focusItemBeside } from "#ui/focus.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import TbPhotoPlus from "~icons/tabler/photo-plus";
import TbTrash from "~icons/tabler/trash";
import { ownItems } from "../../lib/storage.ts";
import { Problem } from "../../ui/form-alert.tsx";
import classes from "./report.module.css";

interface ReportFormProps {
  orderId: string;
  user: CurrentUser;
  onSent: () => void;
  onCancel: () => void;
}

/** A report that is being written. */
const writtenReport = z.object({
  reason: z.string(),
  photos: z.array(z.object({ key: z.string(), name: z.string(), id: z.string() })),
});

/** The report of a printing error, with photos. */
export function ReportForm({ orderId, user, onSent, onCancel }: ReportFormProps) {
  const { reprints } = trpc.useUtils();
  // It survives a tab that the phone throws away while its camera is open.
  const stored = `report:${user._id}:${orderId}`;
  const [written] = useState(() => writtenReport.safeParse(ownItems.get(stored)).data);
  const [reason, setReason] = useState(written?.reason ?? "");
  const [isEmpty, setEmpty] = useState(false);
  const photos = useReportPhotos(written?.photos ?? []);
  const { sent } = photos;
  useEffect(() => ownItems.set(stored, { reason, photos: sent }), [stored, reason, sent]);
  const report = trpc.reprints.report.useMutation({
    onSuccess() {
      ownItems.remove(stored);
      onSent();
    },
    onSettled: () => reprints.own.invalidate({ orderId }),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setEmpty(reason.trim() === "");
    if (reason.trim() === "") event.currentTarget.querySelector("textarea")?.focus();
    if (reason.trim() && !photos.isSending)
      report.mutate({ orderId, reason, photos: sent.map(({ id }) => id) });
  }

  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      <Textarea
        size="md"
        label="What is wrong?"
        description="For example, which pages, and what they should look like"
        autoFocus
        required
        withAsterisk={false}
        rows={4}
        maxLength={MAX_REASON}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={isEmpty && reason.trim() === "" ? "Please say what is wrong" : undefined}
      />
      <ReportPhotosField {...photos} />
      {report.error && <Problem message={messageOf(report.error)} />}
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

type PhotosFieldProps = ReturnType<typeof useReportPhotos>;

/** Photos of the printing error. */
function ReportPhotosField({ photos, problem, add, remove }: PhotosFieldProps) {
  return (
    <div className={classes.field}>
      {photos.length > 0 && (
        <ul className={classes.photos} aria-label="Photos">
          {photos.map(({ key, name, id }) => (
            <li key={key} className={classes.added}>
              {id ? (
                <img src={`/reprint-photos/${id}`} alt={name} className={classes.photo} />
              ) : (
                <span className={classes.photo} role="status" aria-label={`Sending ${name}`}>
                  <Loader size="sm" />
                </span>
              )}
              <IconButton
                label={`Remove ${name}`}
                onClick={(press) => {
                  ignoreSecondPress(press);
                  focusItemBeside(press.currentTarget);
                  remove(key);
                }}
              >
                <TbTrash size={20} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div>
        <FileButton multiple accept="image/jpeg,image/png" onChange={add}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={photos.length >= MAX_REPORT_PHOTOS}
              leftSection={<TbPhotoPlus size={20} />}
            >
              Add photos
            </Button>
          )}
        </FileButton>
      </div>
      <p className={classes.hint}>
        Up to {MAX_REPORT_PHOTOS} JPG or PNG photos, to show the shop what is wrong. Only you, the shop’s
        staff and the store’s admins can see them; they are deleted 30 days after the answer.
      </p>
      {problem && <Problem message={problem} />}
    </div>
  );
}

/** A photo of a report that is being written. */
interface ReportPhoto {
  key: string;
  name: string;
  /** Null until it is uploaded. */
  id: string | null;
}

/** The photos of a report that is being written, including those from before a reload; each is uploaded immediately. */
function useReportPhotos(before: ReportPhoto[]) {
  const [photos, setPhotos] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);

  function remove(key: string): void {
    setPhotos((all) => all.filter((photo) => photo.key !== key));
  }

  async function send(file: File): Promise<void> {
    const key = randomKey();
    setPhotos((all) => [...all, { key, name: file.name, id: null }]);
    try {
      const id = await sendPhoto(file);
      setPhotos((all) => all.map((photo) => (photo.key === key ? { ...photo, id } : photo)));
    } catch (error) {
      remove(key);
      setProblem(`“${file.name}”: ${(error as Error).message}`);
    }
  }

  function add(files: File[]): void {
    const room = MAX_REPORT_PHOTOS - photos.length;
    const [tooLarge] = files.filter(isTooLarge);
    if (tooLarge) setProblem(`“${tooLarge.name}” ${PHOTO_TOO_LARGE}`);
    else setProblem(files.length > room ? `At most ${MAX_REPORT_PHOTOS} photos can be added` : null);
    for (const file of files.filter((one) => !isTooLarge(one)).slice(0, room)) void send(file);
  }

  const sent = useMemo(
    () => photos.flatMap((photo) => (photo.id === null ? [] : [{ ...photo, id: photo.id }])),
    [photos],
  );
  return { photos, sent, isSending: sent.length < photos.length, problem, add, remove };
}

function isTooLarge({ size }: File): boolean {
  return size > MAX_PHOTO_BYTES;
}

const PHOTO_PATH = `/api/trpc/${"reprints.uploadPhoto" satisfies Procedure}`;
const FAILED = "The photo could not be sent. Please try again";

const doneAnswer = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) });
const refusalAnswer = z.object({ error: z.object({ message: z.string() }) });

/**
 * Uploads a photo of a report. It uses fetch, because the storefront's tRPC batches cannot carry binary data.
 * Throws an Error with a message for the student.
 * @returns the photo's id
 */
async function sendPhoto(photo: Blob): Promise<string> {
  const answer = await fetch(PHOTO_PATH, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: photo,
  })
    .then((response) => response.json())
    .catch(() => null);
  const done = doneAnswer.safeParse(answer);
  if (done.success) return done.data.result.data.id;
  throw new Error(refusalAnswer.safeParse(answer).data?.error.message ?? FAILED);
}
