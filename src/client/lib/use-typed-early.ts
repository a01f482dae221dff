import { type RefObject, useEffect, useRef } from "react";

interface FormState<Values> {
  setValues(values: Partial<Values>): void;
}

/**
 * Takes into the form what stood in its fields before the page's script ran: on a slow network people type, and
 * password managers fill in, before that. Put the ref on the form element; field names are the form's paths.
 */
export function useTypedEarly<Values extends Record<string, unknown>>(
  form: FormState<Values>,
): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what stood there when the script began to run
  useEffect(() => {
    if (element.current) form.setValues(typedIn(element.current) as Partial<Values>);
  }, []);
  return element;
}

function typedIn(form: HTMLFormElement): Record<string, string | boolean> {
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name]")];
  return Object.fromEntries(
    fields.map(({ name, type, value, checked }) => [name, type === "checkbox" ? checked : value]),
  );
}
