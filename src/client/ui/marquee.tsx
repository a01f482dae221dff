import { type ReactNode, useState } from "react";
import classes from "./marquee.module.css";

/** Seconds that one round takes. */
const ROUND_SECONDS = { fast: 20, normal: 40, slow: 80 } as const;

interface MarqueeProps {
  /** What scrolls by, for people who cannot see it. */
  label: string;
  speed?: keyof typeof ROUND_SECONDS;
  children: ReactNode;
}

/**
 * A strip that scrolls by without end. It stops under the pointer, under the keyboard's focus and by its button;
 * where people asked for less motion it stands still and is scrolled by hand.
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
