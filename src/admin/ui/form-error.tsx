import { Alert } from "@mantine/core";
import { messageOf } from "#ui/errors.ts";
import { scrollIntoView } from "#ui/scroll-into-view.ts";
import { PasskeyError } from "../lib/passkeys.ts";

/** The error message above a form's fields. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert" ref={scrollIntoView}>
      {error instanceof PasskeyError ? error.message : messageOf(error)}
    </Alert>
  );
}
