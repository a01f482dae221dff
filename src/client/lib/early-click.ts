import { useEffect } from "react";

const HELD = "earlyClick";

/**
 * Stands in the page itself: on a slow network people press buttons before the page's script runs. It holds the last
 * such press; a button that opens a popover needs no script and is left alone.
 */
export const HOLD_EARLY_CLICK = `addEventListener("click",(event)=>{
const button=event.target.closest("button");
if(document.${HELD}!==null&&button?.type==="button"&&!button.popoverTargetElement)document.${HELD}=button;
},true);`.replaceAll("\n", "");

/**
 * Presses the held button once the page works, as a mouse does: some buttons act when it goes down. Not within React's
 * own work on the page, which would let the press pass.
 */
export function useHeldClick(): void {
  useEffect(() => {
    const page = document as Document & { [HELD]?: HTMLButtonElement | null };
    const button = page[HELD];
    page[HELD] = null;
    if (!button) return;
    const press = setTimeout(() => {
      for (const type of ["mousedown", "mouseup"])
        button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }));
      button.click();
    });
    return () => clearTimeout(press);
  }, []);
}
