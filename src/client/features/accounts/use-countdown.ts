import { useEffect, useState } from "react";

/**
 * Whole seconds left of a countdown. It reads the clock, because timers are throttled in background tabs.
 * @param running whether it starts at once
 */
export function useCountdown(seconds: number, running: boolean) {
  const [endsAt, setEndsAt] = useState(() => (running ? Date.now() + seconds * 1000 : 0));
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= endsAt) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [endsAt]);

  return {
    secondsLeft: Math.max(0, Math.ceil((endsAt - now) / 1000)),
    restart() {
      setNow(Date.now());
      setEndsAt(Date.now() + seconds * 1000);
    },
  };
}
