import classes from "./paper-facts.module.css";

const FACTS = [
  { term: "Paper", fact: "Only A4 paper of 70 GSM is used" },
  { term: "Files", fact: "PDF, JPG, PNG and JPEG are accepted" },
  { term: "Privacy", fact: "Uploaded documents are deleted once printed" },
];

/** Facts that hold for every order at every shop. */
export function PaperFacts() {
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
