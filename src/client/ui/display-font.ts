import "./display-font.css";
import { useEffect } from "react";

/** Inline script that shows headings in the display font at once where the service worker has it. */
export const DISPLAY_FONT_SCRIPT =
  'if(navigator.serviceWorker?.controller)document.documentElement.dataset.displayFont="";';

/** Loads the display font, 10 kB, once the page works. */
export function useDisplayFont(): void {
  useEffect(() => {
    const show = () => {
      document.documentElement.dataset.displayFont = "";
    };
    document.fonts.load("700 1em Bricolage").then(show, () => {});
  }, []);
}
