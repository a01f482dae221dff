/** Systems take two clicks for a double click where less than half a second lies between them, or 900 ms at most. */
export const SETTLE_MS = 1000;
/** By so much, in px, a hand strays between the two. */
const STRAY = 8;

/**
 * For a button whose press brings something else to where it stands: keeps its place free until the pointer has left it, or
 * a second is over. What comes to lie there was not what the person pressed, so a second click does nothing.
 */
export function holdPlace({ currentTarget, detail }: { currentTarget: Element; detail: number }): void {
  // A key presses whatever has the focus, wherever it stands.
  if (detail === 0) return;
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const place = document.createElement("div");
  place.dataset.heldPlace = "";
  Object.assign(place.style, {
    position: "fixed",
    left: `${left - STRAY}px`,
    top: `${top - STRAY}px`,
    width: `${width + 2 * STRAY}px`,
    height: `${height + 2 * STRAY}px`,
    zIndex: "10000",
  });
  const timer = setTimeout(release, SETTLE_MS);
  function release(): void {
    clearTimeout(timer);
    place.remove();
  }
  place.addEventListener("pointerleave", release);
  // A press there takes the focus from nobody, and counts for no dialog or menu as one beside it.
  for (const type of ["pointerdown", "mousedown", "touchstart", "click"]) {
    place.addEventListener(type, (event) => {
      event.preventDefault();
      event.stopPropagation();
    });
  }
  document.body.append(place);
}
