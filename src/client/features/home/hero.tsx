import artClasses from "../../ui/art.module.css";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "./hero.module.css";

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

/** A PDF enters a printer at the top, a printed page comes out below. */
function HeroArt({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 480 470" strokeWidth="4" aria-hidden="true">
      <g className={artClasses.faint} strokeWidth="2">
        <path d="M20 56h28M56 20v28M460 56h-28M424 20v28M20 414h28M56 450v-28M460 414h-28M424 450v-28" />
      </g>
      <path className={artClasses.sheet} d="M146 36h140l48 48v130H146z" />
      <path className={artClasses.line} d="M286 36v48h48" />
      <text className={artClasses.text} x="170" y="108" fontSize="40">
        PDF
      </text>
      <path className={artClasses.faint} strokeDasharray="2 12" d="M172 138h136M172 162h104" />
      <path className={artClasses.sheet} d="M134 232h212v204H134z" />
      <path className={artClasses.mark} d="M164 304h116v22H164z" />
      <path className={artClasses.line} d="M168 284h100M168 315h144M168 346h144M168 377h144M168 408h88" />
      <path
        className={artClasses.accent}
        d="M66 186h348a16 16 0 0 1 16 16v52a16 16 0 0 1-16 16H66a16 16 0 0 1-16-16v-52a16 16 0 0 1 16-16z"
      />
      <text className={artClasses.onAccent} x="78" y="237" fontSize="24">
        A4 · 70 GSM
      </text>
      <circle className={artClasses.onAccent} cx="368" cy="228" r="7" />
      <circle className={artClasses.onAccent} cx="394" cy="228" r="7" />
    </svg>
  );
}
