import { type ReactNode, useId } from "react";
import { LinkButton } from "../../ui/link-button.tsx";
import { Customisation } from "./customisation.tsx";
import { Hero } from "./hero.tsx";
import classes from "./home-page.module.css";
import { PrintAgain } from "./print-again.tsx";
import { Steps } from "./steps.tsx";
import { Testimonials } from "./testimonials.tsx";

export function HomePage() {
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

const FACTS = [
  { term: "Paper", fact: "Only A4 paper of 70 GSM is used" },
  { term: "Files", fact: "PDF, JPG, PNG and JPEG are accepted" },
  { term: "Privacy", fact: "Uploaded documents are deleted once printed" },
];

/** Facts that hold for every order at every shop. */
function PaperFacts() {
  return (
    <dl className={classes.facts}>
      {FACTS.map(({ term, fact }) => (
        <div key={term} className={classes.fact}>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  title: string;
  lead?: string;
  tone?: "wash";
  children: ReactNode;
}

/** A section whose background spans the window; its content stays in the page's column. */
function Section({ title, lead, tone, children }: SectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={classes.section} data-tone={tone}>
      <div className={classes.inner}>
        <h2 id={titleId} className={classes.sectionTitle}>
          {title}
        </h2>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </section>
  );
}

function CallToAction() {
  return (
    <section className={classes.closing}>
      <h2 className={classes.closingTitle}>Deadline close?</h2>
      <p className={classes.closingText}>Pick a shop near your college and see your price in a minute.</p>
      <LinkButton to="/shops" size="lg">
        Find a shop
      </LinkButton>
    </section>
  );
}
