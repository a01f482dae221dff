import { type ReactNode, useState } from "react";
import classes from "./marquee.module.css";

/** Seconds per round. */
const ROUND_SECONDS = { fast: 20, normal: 40, slow: 80 } as const;

interface MarqueeProps {
  /** The accessible name. */
  label: string;
  speed?: keyof typeof ROUND_SECONDS;
  children: ReactNode;
}

/**
 * A strip that scrolls endlessly. It pauses on hover, on focus and by its button; with reduced motion it is
 * scrolled by hand.
 */
export function Marquee({ label, speed = "normal", children }: MarqueeProps) {
  const [paused, setPaused] = useState(false);
  return (
    <div className={classes.marquee}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a strip that scrolls must be reachable by keyboard */}
      <section className={classes.window} aria-label={label} tabIndex={0}>
        <div
          className={classes.track}
          data-paused={paused || undefined}
          style={{ animationDuration: `${ROUND_SECONDS[speed]}s` }}
        >
          <ul className={classes.items}>{children}</ul>
          <ul className={classes.items} aria-hidden="true">
            {children}
          </ul>
        </div>
      </section>
      <button type="button" className={classes.pause} onClick={() => setPaused(!paused)}>
        {paused ? "Play" : "Pause"}
      </button>
    </div>
  );
}
