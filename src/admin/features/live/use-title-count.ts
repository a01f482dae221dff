import { useEffect } from "react";

const COUNT = /^\(\d+\) /;

/** Puts a number before the tab's title, whichever screen sets the title; nothing for 0. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    const show = () => {
      const title = document.title.replace(COUNT, "");
      const counted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== counted) document.title = counted;
    };
    const watcher = new MutationObserver(show);
    watcher.observe(document.head, { subtree: true, childList: true, characterData: true });
    show();
    return () => watcher.disconnect();
  }, [count]);
}
