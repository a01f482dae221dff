import { LinkButton } from "../../ui/link-button.tsx";
import classes from "./call-to-action.module.css";

export function CallToAction() {
  return (
    <section className={classes.closing}>
      <h2 className={classes.title}>Deadline close?</h2>
      <p className={classes.text}>Pick a shop near your college and see your price in a minute.</p>
      <LinkButton to="/shops" size="lg">
        Find a shop
      </LinkButton>
    </section>
  );
}
