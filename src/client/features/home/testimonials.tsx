import { Marquee } from "../../ui/marquee.tsx";
import classes from "./testimonials.module.css";

/** Placeholders, labelled as such, until there are real quotes. */
const SAMPLE_QUOTES = [
  {
    quote: "Uploaded the lab file at night, and had it spiral-bound before the morning viva.",
    who: "an engineering student",
  },
  {
    quote: "I saw every rupee of the price before I ordered. No surprise at the counter.",
    who: "a commerce student",
  },
  { quote: "Four PDFs, two copies each, one delivery to the hostel gate.", who: "a law student" },
  { quote: "My phone photos of the notes came out as proper A4 pages.", who: "a medical student" },
  { quote: "One smudged page. I wrote the same day, and the reprint came free.", who: "a design student" },
];

export function Testimonials() {
  return (
    <Marquee label="Sample quotes" speed="normal">
      {SAMPLE_QUOTES.map(({ quote, who }) => (
        <li key={quote} className={classes.card}>
          <blockquote className={classes.quote}>{quote}</blockquote>
          <p className={classes.who}>Sample quote, as if by {who}</p>
        </li>
      ))}
    </Marquee>
  );
}
