import "../../ui/theme/form-styles.ts";
import { Button, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import classes from "./file-row.module.css";

interface PasswordFormProps {
  /** Name of the locked file. */
  name: string;
  /** Whether a password was tried that does not open it. */
  isWrong: boolean;
  onSubmit: (password: string) => void;
}

/** Asks for the password of a locked file. It is used once and kept nowhere. */
export function PasswordForm({ name, isWrong, onSubmit }: PasswordFormProps) {
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
        autoFocus={isWrong}
      />
      <Button type="submit" size="md" variant="default" aria-label={`Unlock ${name}`}>
        Unlock
      </Button>
    </form>
  );
}
