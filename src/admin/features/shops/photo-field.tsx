import { Button, FileButton, Group, Input, Text } from "@mantine/core";
import { type DragEvent, useId, useState } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { MAX_PHOTO_BYTES, PHOTO_TOO_LARGE } from "#shared/photos.ts";
import classes from "./photo-field.module.css";

interface PhotoFieldProps {
  /** Path of the picture; empty where there is none yet. */
  value: string;
  error: string | undefined;
  onChange: (path: string) => void;
}

const TYPES = "image/png,image/jpeg,image/webp";

/** The shop's picture: chosen, or dropped onto the field. It is kept by the store at once, and shown once the shop is saved. */
export function PhotoField({ value, error, onChange }: PhotoFieldProps) {
  const labelId = useId();
  const [refusal, setRefusal] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const upload = trpc.shops.admin.uploadPhoto.useMutation({
    onSuccess: ({ path }) => onChange(path),
    onError: (failure) => setRefusal(messageOf(failure)),
  });

  function take(file: File | null | undefined) {
    if (!file) return;
    setRefusal(undefined);
    if (file.size > MAX_PHOTO_BYTES) return setRefusal(`The picture ${PHOTO_TOO_LARGE}`);
    upload.mutate(file);
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  }

  return (
    <Input.Wrapper
      label="Picture"
      labelElement="div"
      labelProps={{ id: labelId }}
      description="PNG, JPEG or WebP, at least 480 × 360 pixels. It is cropped to fit the card."
      error={refusal ?? error}
      required
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button does the same by keyboard */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {value && <img src={value} alt="" width={96} height={72} className={classes.picture} />}
        <Group gap="sm">
          <FileButton accept={TYPES} onChange={take} inputProps={{ "aria-labelledby": labelId }}>
            {(props) => (
              <Button {...props} variant="default" loading={upload.isPending}>
                {value ? "Choose another picture" : "Choose a picture"}
              </Button>
            )}
          </FileButton>
          <Text c="dimmed" visibleFrom="sm">
            or drop one here
          </Text>
        </Group>
      </div>
    </Input.Wrapper>
  );
}
