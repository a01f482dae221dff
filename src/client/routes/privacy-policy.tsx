import { createFileRoute } from "@tanstack/react-router";
import { PRIVACY_SECTIONS } from "#client/features/legal/privacy-sections.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Article } from "#client/ui/article.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/privacy-policy")({
  head: () =>
    pageHead({
      title: "Privacy Policy",
      description: "What Print Store keeps about you, who can open your files, and when they are deleted.",
    }),
  component: PrivacyPage,
});

function PrivacyPage() {
  return (
    <>
      <PageTitle lead="Your documents are your own. We keep as little as an order needs.">
        Privacy Policy
      </PageTitle>
      <Article sections={PRIVACY_SECTIONS} />
    </>
  );
}
