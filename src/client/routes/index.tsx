import { createFileRoute } from "@tanstack/react-router";
import { Closing } from "../features/home/closing.tsx";
import { Customisation } from "../features/home/customisation.tsx";
import { Hero } from "../features/home/hero.tsx";
import { PaperFacts } from "../features/home/paper-facts.tsx";
import { Steps } from "../features/home/steps.tsx";
import { Testimonials } from "../features/home/testimonials.tsx";
import { pageHead } from "../lib/page-head.ts";
import { Band } from "../ui/band.tsx";

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
