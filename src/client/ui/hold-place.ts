/** Systems take two clicks for a double click where less than half a second lies between them, or 900 ms at most. */
export const SETTLE_MS = 1000;
/** By so much, in px, a hand strays between the two. */
const STRAY = 8;

/**
 * For a button whose press brings something else to where it stands, or to the focus: a second press does nothing, for the
 * person has not seen what it would press. Its place stays empty until the pointer has left it, Enter and the space bar rest
 * until something else is pressed, and both for a second at most.
 */
export function holdPlace({ currentTarget, detail }: { currentTarget: Element; detail: number }): void {
  // A click that a key made counts no presses of a pointer.
  if (detail === 0) restKeys();
  else coverPlace(currentTarget.getBoundingClientRect());
}

function coverPlace({ left, top, width, height }: DOMRect): void {
  const cover = document.createElement("div");
  cover.dataset.heldPlace = "";
  Object.assign(cover.style, {
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
    cover.remove();
  }
  cover.addEventListener("pointerleave", release);
  // A press there takes the focus from nobody, and counts for no dialog or menu as one beside it.
  for (const type of ["pointerdown", "mousedown", "touchstart", "click"]) {
    cover.addEventListener(type, swallow);
  }
  document.body.append(cover);
}

function restKeys(): void {
  const timer = setTimeout(release, SETTLE_MS);
  function release(): void {
    clearTimeout(timer);
    window.removeEventListener("pointerdown", release, true);
    for (const type of ["keydown", "keyup"] as const) window.removeEventListener(type, rest, true);
  }
  function rest(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") swallow(event);
    else if (event.type === "keydown") release();
  }
  window.addEventListener("pointerdown", release, true);
  for (const type of ["keydown", "keyup"] as const) window.addEventListener(type, rest, true);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
