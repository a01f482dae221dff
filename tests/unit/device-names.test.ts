import { expect, test } from "vitest";
import { deviceName } from "#server/accounts/sessions.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0";

test.each([
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`, "Chrome on Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Windows"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36 Edg/126.0`,
    "Microsoft Edge on macOS",
  ],
  ["curl/8.5.0", ""],
  ["", ""],
  ["<script>".repeat(10_000), ""],
])("shows %.60s as “%s”", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
