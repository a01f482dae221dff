import { createFileRoute } from "@tanstack/react-router";
import { Closing } from "#client/features/home/closing.tsx";
import { Customisation } from "#client/features/home/customisation.tsx";
import { Hero } from "#client/features/home/hero.tsx";
import { PaperFacts } from "#client/features/home/paper-facts.tsx";
import { Steps } from "#client/features/home/steps.tsx";
import { Testimonials } from "#client/features/home/testimonials.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Band } from "#client/ui/band.tsx";

export const Route = createFileRoute("/")({
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
      <Hero />
      <PaperFacts />
      <Band title="How Print Store works">
        <Steps />
      </Band>
      <Band title="Made the way you need it" tone="wash">
        <Customisation />
      </Band>
      <Band
        title="What it could be like for you"
        lead="Sample quotes, written by us as placeholders until students have told us theirs."
      >
        <Testimonials />
      </Band>
      <Closing />
    </>
  );
}
