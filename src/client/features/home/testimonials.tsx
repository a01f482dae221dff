import { Marquee } from "../../ui/marquee.tsx";
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
