import { Link } from "@tanstack/react-router";
import { PageTitle } from "../../ui/page-title.tsx";
import { ContactForm } from "./contact-form.tsx";
import classes from "./contact-page.module.css";

/** The contact form, with the ways to reach the store beside it. */
export function ContactPage() {
  return (
    <>
      <PageTitle lead="A question, a page that came out wrong, or a print shop of your own: write to us.">
        Contact us
      </PageTitle>
      <div className={classes.columns}>
        <ContactForm />
        <aside className={classes.aside}>
          <dl>
            <dt>Location</dt>
            <dd>Phagwara, Punjab, India</dd>
            <dt>Phone</dt>
            <dd>+91 98XXX XXX10</dd>
          </dl>
          <p>
            For a reprint, report the printing error on the page of your order.{" "}
            <Link to="/refund-and-cancellation">How a reprint works</Link>
          </p>
        </aside>
      </div>
    </>
  );
}
