import { schemaResolver, useForm } from "@mantine/form";
import type { z } from "zod";

interface AccountFormOptions<Values> {
  /** Keeps the fields of two forms on one page apart. */
  name: string;
  schema: z.ZodType<Values>;
  /** In the order of the fields on the page. */
  initialValues: Values;
}

/** The state of a form whose fields are checked by the schema that the server checks them by. */
export function useAccountForm<Values extends Record<string, unknown>>(options: AccountFormOptions<Values>) {
  const { name, schema, initialValues } = options;
  return useForm<Values>({ name, initialValues, validate: schemaResolver(schema, { sync: true }) });
}

export type AccountFormState<Values extends Record<string, unknown>> = ReturnType<
  typeof useAccountForm<Values>
>;
