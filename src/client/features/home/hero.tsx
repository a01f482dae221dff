import { LinkButton } from "../../ui/link-button.tsx";
import classes from "./hero.module.css";
import { HeroArt } from "./hero-art.tsx";

export function Hero() {
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.title}>
          Online <mark>Printing</mark> Shop
        </h1>
        <p className={classes.lead}>
          Send your PDF to a print shop near your college. See the exact price before you order, and have the
          pages delivered to your room.
        </p>
        <div className={classes.actions}>
          <LinkButton to="/shops" size="lg">
            Print Now
          </LinkButton>
          <LinkButton to="/how-it-works" size="lg" variant="default">
            How it works
          </LinkButton>
        </div>
      </div>
      <HeroArt className={classes.art} />
    </section>
  );
}
