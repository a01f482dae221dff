import { schemaResolver, useForm } from "@mantine/form";
import type { z } from "zod";

interface AccountFormOptions<Values> {
  /** Distinguishes the fields of two forms on one page. */
  name: string;
  schema: z.ZodType<Values>;
  /** In the order of the fields. */
  initialValues: Values;
}

/** The state of a form, validated by the same schema as on the server. */
export function useAccountForm<Values extends Record<string, unknown>>(options: AccountFormOptions<Values>) {
  const { name, schema, initialValues } = options;
  return useForm<Values>({ name, initialValues, validate: schemaResolver(schema, { sync: true }) });
}

export type AccountFormState<Values extends Record<string, unknown>> = ReturnType<
  typeof useAccountForm<Values>
>;
