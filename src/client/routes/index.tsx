import { createFileRoute } from "@tanstack/react-router";
import { CallToAction } from "../features/home/call-to-action.tsx";
import { Customisation } from "../features/home/customisation.tsx";
import { Hero } from "../features/home/hero.tsx";
import { PaperFacts } from "../features/home/paper-facts.tsx";
import { PrintAgain } from "../features/home/print-again.tsx";
import { Steps } from "../features/home/steps.tsx";
import { Testimonials } from "../features/home/testimonials.tsx";
import { pageHead } from "../lib/page-head.ts";
import { Section } from "../ui/section.tsx";

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

function HomePage() {
  return (
    <>
      <PrintAgain />
      <Hero />
      <PaperFacts />
      <Section title="How Print Store works">
        <Steps />
      </Section>
      <Section title="Made the way you need it" tone="wash">
        <Customisation />
      </Section>
      <Section title="What it could be like for you" lead="Five everyday print jobs, told as examples.">
        <Testimonials />
      </Section>
      <CallToAction />
    </>
  );
}
