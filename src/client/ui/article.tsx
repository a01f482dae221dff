import type { ReactNode } from "react";
import classes from "./article.module.css";

export interface ArticleSection {
  /** The anchor of the section, as in `/privacy-policy#your-files`. */
  id: string;
  title: string;
  content: ReactNode;
}

/** Text in sections, with a table of contents beside it where there is room. */
export function Article({ sections }: { sections: readonly ArticleSection[] }) {
  return (
    <div className={classes.article}>
      <nav aria-label="On this page" className={classes.contents}>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.text}>
        {sections.map(({ id, title, content }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {content}
          </section>
        ))}
      </div>
    </div>
  );
}
