import { Link } from "@tanstack/react-router";
import { indianTime } from "#shared/indian-time.ts";
import { type OrderReprintFacts, type OwnReport, REPORT_TEXTS } from "./own-reprint.ts";
import classes from "./report.module.css";

interface ReportViewProps {
  report: OwnReport;
  /** The order that prints it again. */
  reprint: OrderReprintFacts["reprint"];
}

/** What the student reported, and what the shop answered. */
export function ReportView({ report, reprint }: ReportViewProps) {
  return (
    <div className={classes.report}>
      <p role="status" className={classes.state} data-report={report.state}>
        {REPORT_TEXTS[report.state]}
      </p>
      <Said by="You" at={report.reportedAt} text={report.reason} />
      {report.photos.length > 0 && (
        <ul className={classes.photos} aria-label="Photos">
          {report.photos.map((path, index) => (
            <li key={path}>
              <a href={path} target="_blank" rel="noreferrer">
                <img src={path} alt={`Open number ${index + 1}`} className={classes.photo} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {report.answeredAt && <Said by="The shop" at={report.answeredAt} text={report.answer} />}
      {reprint && (
        <p>
          It is ordered as{" "}
          <Link to="/orders/$id" params={{ id: reprint.id }}>
            order {reprint.number}
          </Link>
          .
        </p>
      )}
    </div>
  );
}

function Said({ by, at, text }: { by: string; at: string; text: string }) {
  return (
    <figure className={classes.said}>
      <blockquote>{text}</blockquote>
      <figcaption>
        {by}, {indianTime(at)}
      </figcaption>
    </figure>
  );
}
