import { type ReactNode, useState } from "react";
import classes from "./testimonials.module.css";

/** Written by us, and labelled as examples. */
const EXAMPLES = [
  {
    quote: "Uploaded the lab file at night, and had it spiral-bound before the morning viva.",
    job: "lab file, spiral-bound",
  },
  {
    quote: "I saw every rupee of the price before I ordered. No surprise at the counter.",
    job: "project report, picked up",
  },
  { quote: "Four PDFs, two copies each, one delivery to the hostel gate.", job: "case law, two copies" },
  {
    quote: "My phone photos of the notes came out as proper A4 pages.",
    job: "handwritten notes, from photos",
  },
  {
    quote: "One smudged page. I wrote the same day, and the reprint came free.",
    job: "design portfolio, in colour",
  },
];

export function Testimonials() {
  return (
    <Marquee label="Sample quotes" speed="normal">
      {EXAMPLES.map(({ quote, job }) => (
        <li key={quote} className={classes.card}>
          <blockquote className={classes.quote}>{quote}</blockquote>
          <p className={classes.job}>Example: {job}</p>
        </li>
      ))}
    </Marquee>
  );
}

/** Seconds per round. */
const ROUND_SECONDS = { fast: 20, normal: 40, slow: 80 } as const;

interface MarqueeProps {
  /** The accessible name. */
  label: string;
  speed: keyof typeof ROUND_SECONDS;
  children: ReactNode;
}

/**
 * A strip that scrolls endlessly. It pauses on hover, on focus and by its button; with reduced motion it is
 * scrolled by hand.
 */
export function Marquee({ label, speed, children }: MarqueeProps) {
  const [paused, setPaused] = useState(false);
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a strip that scrolls must be reachable by keyboard */}
      <section className={classes.window} aria-label={label} tabIndex={0}>
        <div
          className={classes.track}
          data-paused={paused || undefined}
          style={{ animationDuration: `${ROUND_SECONDS[speed]}s` }}
        >
          <ul className={classes.items}>{children}</ul>
          <ul className={classes.items} aria-hidden="true">
            {children}
          </ul>
        </div>
      </section>
      <button type="button" className={classes.pause} onClick={() => setPaused(!paused)}>
        {paused ? "Play" : "Pause"}
      </button>
    </div>
  );
}
