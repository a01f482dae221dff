import { Alert } from "@mantine/core";
import { messageOf } from "#client/lib/errors.ts";

/** Why a form was refused, above its fields. */
export function FormError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
    </Alert>
  );
}
