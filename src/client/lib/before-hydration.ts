import { type RefObject, useEffect, useRef } from "react";

const PROPERTY = "earlyClick";

/**
 * Inline script that remembers the last button pressed before the page is hydrated, which takes long on a slow network.
 * Buttons that open a native popover work without script and are ignored.
 */
export const RECORD_CLICK_SCRIPT = `addEventListener("click",(event)=>{
const button=event.target.closest("button");
if(document.${PROPERTY}!==null&&button?.type==="button"&&!button.popoverTargetElement)document.${PROPERTY}=button;
},true);`.replaceAll("\n", "");

/**
 * Presses that button again after hydration. It sends mouse events too, because some buttons act on mousedown, and waits
 * for a timeout, because React ignores events while it hydrates.
 */
export function useReplayedClick(): void {
  useEffect(() => {
    const page = document as Document & { [PROPERTY]?: HTMLButtonElement | null };
    const button = page[PROPERTY];
    page[PROPERTY] = null;
    if (!button) return;
    const timer = setTimeout(() => {
      for (const type of ["mousedown", "mouseup"])
        button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
      button.click();
    });
    return () => clearTimeout(timer);
  }, []);
}

interface FormState<Values> {
  setValues(values: Partial<Values>): void;
}

/**
 * Copies into the form what people typed, or password managers filled in, before the page was hydrated. Put the returned
 * ref on the form element; the names of its fields are the form's paths.
 */
export function useEarlyInput<Values extends Record<string, unknown>>(
  form: FormState<Values>,
): RefObject<HTMLFormElement | null> {
  const element = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the input from before hydration
  useEffect(() => {
    if (element.current) form.setValues(readFields(element.current) as Partial<Values>);
  }, []);
  return element;
}

function readFields(form: HTMLFormElement): Record<string, string | boolean> {
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name], textarea[name]")];
  return Object.fromEntries(
    fields.map(({ name, type, value, checked }) => [name, type === "checkbox" ? checked : value]),
  );
}
