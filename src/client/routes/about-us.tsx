import { createFileRoute } from "@tanstack/react-router";
import { ABOUT_SECTIONS } from "#client/features/about/about-sections.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Article } from "#client/ui/article.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/about-us")({
  head: () =>
    pageHead({
      title: "About us",
      description:
        "Print Store brings students and the print shops near their colleges together. Who we are and why.",
    }),
  component: AboutPage,
});

function AboutPage() {
  return (
    <>
      <PageTitle lead="The print shops near your college, without the queue and without the pen drive.">
        About us
      </PageTitle>
      <Article sections={ABOUT_SECTIONS} />
    </>
  );
}
