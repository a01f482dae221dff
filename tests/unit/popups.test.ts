import { expect, onTestFinished, test, vi } from "vitest";
import { popups, showError, showSuccess, successMs } from "#client/ui/popup/popup-store.ts";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { claimBrowser, clearPersonalData } from "#ui/personal-data.ts";

test("a success of one line stays for four seconds, one with a text as long as reading takes", () => {
  const seconds = Object.values(SUCCESS).map((popup) => [popup.title, successMs(popup, false) / 1000]);
  expect(Object.fromEntries(seconds)).toMatchObject({
    "File Uploaded Successfully": 4,
    "Loggedin Successfully": 4,
    "Account Created Successfully": 6.32,
    "Congratulations!!!": 8.32,
  });
});

test("a success with a link stays four seconds longer, so that the link can be reached", () => {
  const link = { to: "/orders/1", label: "See your order" };
  expect(successMs({ ...SUCCESS.orderPlaced, action: link }, false)).toBe(
    successMs(SUCCESS.orderPlaced, false) + 4000,
  );
});

test("a success gives action after a moment when the next one waits", () => {
  expect(successMs(SUCCESS.accountVerified, true)).toBe(1500);
  expect(successMs({ title: "“Notes.pdf” removed", action: { label: "Undo", act() {} } }, true)).toBe(4000);
});

test("popups of a student are closed at their logout, and none that says that it was done or that a guest was shown", () => {
  // One that never answers.
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  onTestFinished(() => void vi.unstubAllGlobals());
  // Nobody is logged in, whoever was in tests of another file.
  clearPersonalData();
  const titles = () => popups.getState().map(({ title }) => title);
  showSuccess(SUCCESS.accountVerified);
  claimBrowser("asha");
  showError({ title: FAILURE.upload, text: "“Private.pdf” is damaged" });
  showSuccess(SUCCESS.fileUploaded);
  expect(titles()).toHaveLength(3);
  clearPersonalData();
  showSuccess(SUCCESS.loggedOut);
  expect(titles()).toEqual([SUCCESS.accountVerified.title, SUCCESS.loggedOut.title]);
});
