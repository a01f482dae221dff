import type { Page } from "playwright-core";

/** Shares these files with the store as another app does: by a form that the browser posts. */
export async function shareFiles(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, {
      method: "post",
      action: "/share-target",
      enctype: "multipart/form-data",
      id: "share",
    });
    form.innerHTML = '<input type="file" name="files" multiple>';
    document.body.append(form);
  });
  await page.locator("#share input").setInputFiles(files);
  await page.evaluate(() => document.querySelector<HTMLFormElement>("#share")?.submit());
  await page.waitForURL(/\/shared/);
}
