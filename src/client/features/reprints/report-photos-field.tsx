import { Button, FileButton, Loader } from "@mantine/core";
import { IconPhotoPlus, IconTrash } from "@tabler/icons-react";
import { IconButton } from "#client/ui/icon-button.tsx";
import { MAX_REPORT_PHOTOS } from "#shared/reprints.ts";
import classes from "./report.module.css";
import type { useReportPhotos } from "./use-report-photos.ts";

type PhotosFieldProps = ReturnType<typeof useReportPhotos>;

/** Photos of what is printed wrongly. */
export function ReportPhotosField({ photos, problem, add, remove }: PhotosFieldProps) {
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
              <IconButton label={`Remove ${name}`} onClick={() => remove(key)}>
                <IconTrash size={20} aria-hidden="true" />
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
              leftSection={<IconPhotoPlus size={20} aria-hidden="true" />}
            >
              Add photos
            </Button>
          )}
        </FileButton>
      </div>
      <p className={classes.hint}>
        Up to {MAX_REPORT_PHOTOS} JPG or PNG photos, so that the shop sees what is wrong. Only you and the
        shop’s staff see them; they are deleted 30 days after the answer.
      </p>
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
