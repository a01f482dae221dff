import type { Locator, Page } from "playwright-core";
import type { Student } from "../factories/students.ts";

export const SIGNUP_LABELS = ["Full name", "Email", "Mobile number", "Password", "Confirm password"] as const;
export type SignupLabel = (typeof SIGNUP_LABELS)[number];

/** Fills in the sign-up form for this student, with other values in the fields of `change`. */
export async function fillSignup(
  page: Page,
  student: Student,
  change: Partial<Record<SignupLabel, string>> = {},
): Promise<void> {
  const values: Record<SignupLabel, string> = {
    "Full name": student.fullName,
    Email: student.email,
    "Mobile number": student.phone,
    Password: student.password,
    "Confirm password": student.password,
    ...change,
  };
  for (const label of SIGNUP_LABELS) await page.getByLabel(label, { exact: true }).fill(values[label]);
}

/** The error of the field with this label, as read by a screen reader; null if it is valid. */
export async function fieldErrorOf(page: Page, label: string): Promise<string | null> {
  const field = page.getByLabel(label, { exact: true });
  if ((await field.getAttribute("aria-invalid")) !== "true") return null;
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  return texts.join(" ");
}

/** What a browser or password manager takes each field of a form for. */
export function filledInBy(form: Locator): Promise<(string | null)[]> {
  return form
    .locator("input:not([type=checkbox])")
    .evaluateAll((fields) => fields.map((field) => field.getAttribute("autocomplete")));
}

/** The label of the focused field. */
export function focusedLabel(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement ? field.labels?.[0]?.textContent?.trim() : undefined;
  });
}

/** Presses Enter in the focused field once the page's script handles it. */
export async function pressEnter(page: Page): Promise<void> {
  await page.locator("form:focus-within button[type=submit]:enabled").waitFor();
  await page.keyboard.press("Enter");
}

export function button(page: Page, name: string) {
  return page.getByRole("main").getByRole("button", { name, exact: true });
}

export function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}
