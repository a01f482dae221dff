import { type ReactNode, useId } from "react";
import { LinkButton } from "../../ui/link-button.tsx";
import {
  CheckoutArt,
  ColourArt,
  CustomiseArt,
  FileTypesArt,
  HeroArt,
  OrientationArt,
  PaperSizeArt,
  UploadArt,
  VisitArt,
} from "./home-art.tsx";
import classes from "./home-page.module.css";
import { PrintAgain } from "./print-again.tsx";
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

function Hero() {
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.heroTitle}>
          Online <mark>Printing</mark> Shop
        </h1>
        <p className={classes.heroLead}>
          Send your PDF to a print shop near your college. See the exact price before you order, and have the
          pages delivered to your room.
        </p>
        <div className={classes.heroActions}>
          <LinkButton to="/shops" size="lg">
            Print Now
          </LinkButton>
          <LinkButton to="/how-it-works" size="lg" variant="default">
            How it works
          </LinkButton>
        </div>
      </div>
      <HeroArt className={classes.heroArt} />
    </section>
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

const STEPS = [
  {
    Art: VisitArt,
    title: "Visit the store",
    text: "Find a print shop near your college and compare prices.",
  },
  { Art: UploadArt, title: "Upload files", text: "Add your PDFs or photos. The pages are counted for you." },
  { Art: CustomiseArt, title: "Customise", text: "Choose colour, sides, paper, cover, binding and copies." },
  { Art: CheckoutArt, title: "Checkout", text: "Give the address, check the total and place the order." },
];

function Steps() {
  return (
    <ol className={classes.steps}>
      {STEPS.map(({ Art, title, text }, index) => (
        <li key={title} className={classes.step}>
          <Art />
          <h3 className={classes.stepTitle}>
            <span className={classes.stepNumber}>{index + 1}</span>
            {title}
          </h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

const CHOICES = [
  {
    Art: FileTypesArt,
    title: "Any file type",
    text: "PDF, JPG, PNG or JPEG. Photos become A4 pages for you.",
  },
  { Art: ColourArt, title: "Black and white or colour", text: "Black for the notes, colour for the slides." },
  { Art: PaperSizeArt, title: "Paper size", text: "A4 on 70 GSM, the sheet that colleges ask for." },
  { Art: OrientationArt, title: "Orientation", text: "Portrait or landscape, just as your file has it." },
];

function Customisation() {
  return (
    <ul className={classes.choices}>
      {CHOICES.map(({ Art, title, text }) => (
        <li key={title} className={classes.choice}>
          <Art />
          <div>
            <h3 className={classes.choiceTitle}>{title}</h3>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
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
