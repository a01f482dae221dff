import { expect, test } from "vitest";
import { successMs } from "#client/ui/popup/popup-store.ts";
import { SUCCESS } from "#shared/messages.ts";

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
