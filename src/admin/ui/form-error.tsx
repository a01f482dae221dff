import { Alert } from "@mantine/core";
import { issuesOf, messageOf } from "#ui/errors.ts";
import { scrollIntoView } from "#ui/focus.ts";

interface FormErrorProps {
  error: unknown;
  /** Leave out an error that the fields show. */
  exceptFields?: boolean;
}

/** The error message above a form's fields. */
export function FormError({ error, exceptFields = false }: FormErrorProps) {
  if (!error || (exceptFields && issuesOf(error).length > 0)) return null;
  return (
    <Alert color="red" role="alert" ref={scrollIntoView}>
      {messageOf(error)}
    </Alert>
  );
}
