import "../../ui/form-styles.ts";
import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FileButton } from "#ui/file-button.tsx";
import classes from "./file-row.module.css";
import type { PrintFile } from "./print-file.ts";
import { type FileState, needsStudent } from "./upload-phases.ts";
import { PHOTO_TYPES, useFormats } from "./use-formats.ts";

/** What can be done about a file that was not uploaded. */
export interface FileRemedyActions {
  onRetry: (file: PrintFile) => void;
  onUnlock: (file: PrintFile, password: string) => void;
  /** Called with one document, or with the photos of a file that has photos. */
  onChooseAgain: (file: PrintFile, replacement: [File, ...File[]]) => void;
}

interface FileRemediesProps extends FileRemedyActions {
  file: PrintFile;
  state: FileState;
}

/** The password of a locked file, another try, or another file. */
export function FileRemedies({ file, state, onRetry, onUnlock, onChooseAgain }: FileRemediesProps) {
  const { accept } = useFormats();
  const [wasTried, setWasTried] = useState(false);
  if (!needsStudent(state)) return null;
  const choose = state.step === "missing" ? "Choose again" : "Choose another file";
  return (
    <>
      {state.step === "locked" && (
        <PasswordForm
          name={file.name}
          isWrong={state.isWrong}
          wasTried={wasTried}
          onSubmit={(password) => {
            setWasTried(true);
            onUnlock(file, password);
          }}
        />
      )}
      <div className={classes.remedies}>
        {state.step === "failed" && !state.isUseless && (
          <Button
            size="compact-md"
            variant="default"
            aria-label={`Retry ${file.name}`}
            onClick={() => onRetry(file)}
          >
            Retry
          </Button>
        )}
        <FileButton
          multiple={file.arePhotos ?? false}
          accept={file.arePhotos ? PHOTO_TYPES : accept}
          inputProps={{ "aria-label": `${choose} for ${file.name}` }}
          onChange={(replacement) => {
            const [first, ...others] = [replacement ?? []].flat();
            if (first) onChooseAgain(file, [first, ...others]);
          }}
        >
          {(props) => (
            <Button {...props} size="compact-md" variant="default" aria-label={`${choose} for ${file.name}`}>
              {choose}
            </Button>
          )}
        </FileButton>
      </div>
    </>
  );
}

interface PasswordFormProps {
  /** Name of the locked file. */
  name: string;
  /** Whether a password was tried that does not open it. */
  isWrong: boolean;
  /** Whether it was tried since the page was opened. */
  wasTried: boolean;
  onSubmit: (password: string) => void;
}

/** Asks for the password of a locked file. It is used once and kept nowhere. */
function PasswordForm({ name, isWrong, wasTried, onSubmit }: PasswordFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get("password");
    if (typeof password === "string" && password !== "") onSubmit(password);
  }

  return (
    <form className={classes.password} onSubmit={submit}>
      <TextInput
        type="password"
        name="password"
        size="md"
        aria-label={`Password of ${name}`}
        placeholder="Password"
        description="Used once to open the file, and not kept."
        inputWrapperOrder={["input", "description"]}
        aria-invalid={isWrong}
        autoComplete="off"
        maxLength={255}
        // The student has just typed a wrong one here.
        autoFocus={isWrong && wasTried}
      />
      <Button type="submit" size="md" variant="default" aria-label={`Unlock ${name}`}>
        Unlock
      </Button>
    </form>
  );
}
