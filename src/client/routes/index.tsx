import { createFileRoute } from "@tanstack/react-router";
import { HomePage } from "../features/home/home-page.tsx";
import { pageHead } from "../lib/page-head.ts";

export const Route = createFileRoute("/")({
  loader: ({ context: { utils } }) =>
    utils.accounts.me.getData()
      ? Promise.all([
          utils.orders.mine.prefetchInfinite({}, { retry: false }),
          utils.files.formats.prefetch(undefined, { retry: false }),
        ])
      : undefined,
  head: () =>
    pageHead({
      title: "Online Printing Shop for Students",
      description:
        "Upload a PDF, choose how it is printed, see the exact price, and have a print shop near your college deliver the pages.",
    }),
  component: HomePage,
});
