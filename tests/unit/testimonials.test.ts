import { jsx } from "react/jsx-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Marquee } from "#client/features/home/testimonials.tsx";

test.each([
  ["fast", 20],
  ["normal", 40],
  ["slow", 80],
] as const)("a %s strip takes %i seconds for one round", (speed, seconds) => {
  const html = renderToStaticMarkup(jsx(Marquee, { label: "Quotes", speed, children: null }));
  expect(html).toContain(`animation-duration:${seconds}s`);
});
