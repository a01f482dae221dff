import { FAQ_GROUPS } from "./faq-entries.tsx";
import classes from "./faq-list.module.css";

export function FaqList() {
  return FAQ_GROUPS.map(({ title, entries }) => (
    <section key={title} className={classes.group}>
      <h2 className={classes.title}>{title}</h2>
      <div>
        {entries.map(({ question, answer }) => (
          <details key={question} className={classes.entry}>
            <summary className={classes.question}>{question}</summary>
            <p className={classes.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  ));
}
