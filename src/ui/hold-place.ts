/** Systems take two clicks for a double click where less than half a second lies between them, or 900 ms at most. */
export const SETTLE_MS = 1000;
/** By so much, in px, a hand strays between the two. */
const STRAY = 8;

interface Press {
  currentTarget: Element;
  detail: number;
  clientX: number;
  clientY: number;
  nativeEvent: MouseEvent;
}

/**
 * For a button whose press brings something else to where it stands, or to the focus: a second press does nothing, for the
 * person has not seen what it would press. Its place stays empty until the mouse has left it, or has moved after a second;
 * a finger, which leaves by itself, Enter and the space bar rest until a second has gone by without them.
 */
export function holdPlace(press: Press): void {
  // A click that a key made counts no presses of a pointer.
  if (press.detail === 0) restKeys();
  else coverPlace(press);
}

function coverPlace({ currentTarget, clientX, clientY, nativeEvent }: Press): void {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const place = new DOMRect(left - STRAY, top - STRAY, width + 2 * STRAY, height + 2 * STRAY);
  const cover = document.createElement("div");
  cover.dataset.heldPlace = "";
  Object.assign(cover.style, {
    position: "fixed",
    left: `${place.left}px`,
    top: `${place.top}px`,
    width: `${place.width}px`,
    height: `${place.height}px`,
    zIndex: "10000",
  });
  const isMouse = isOfMouse(nativeEvent);
  let isSettled = false;
  const settling = restartable(() => {
    isSettled = true;
    if (!isMouse) release();
  });
  // Of the window: a pointer that is gone before the cover is drawn never leaves the cover.
  const follow = (event: PointerEvent) => {
    const { clientX: x, clientY: y } = event;
    const isOutside = x < place.left || x > place.right || y < place.top || y > place.bottom;
    if (isOutside || (isSettled && Math.hypot(x - clientX, y - clientY) > STRAY)) release();
  };
  function release(): void {
    settling.stop();
    window.removeEventListener("pointermove", follow, true);
    cover.remove();
  }
  window.addEventListener("pointermove", follow, true);
  // A press there takes the focus from nobody, and counts for no dialog or menu as one beside it.
  for (const type of ["pointerdown", "mousedown", "touchstart", "click"]) {
    cover.addEventListener(type, (event) => {
      swallow(event);
      if (!isMouse) settling.restart();
    });
  }
  document.body.append(cover);
}

/** Older browsers do not say what a click came from. */
function isOfMouse(click: MouseEvent): boolean {
  const from = click instanceof PointerEvent ? click.pointerType : "";
  return from ? from === "mouse" : window.matchMedia("(hover: hover)").matches;
}

function restKeys(): void {
  const settling = restartable(release);
  function release(): void {
    settling.stop();
    window.removeEventListener("pointerdown", release, true);
    for (const type of ["keydown", "keyup"] as const) window.removeEventListener(type, rest, true);
  }
  function rest(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") {
      swallow(event);
      // A key that is held down repeats itself for as long as that takes.
      settling.restart();
    } else if (event.type === "keydown") release();
  }
  window.addEventListener("pointerdown", release, true);
  for (const type of ["keydown", "keyup"] as const) window.addEventListener(type, rest, true);
}

/** Calls `run` a second after it was started last. */
function restartable(run: () => void) {
  let timer = setTimeout(run, SETTLE_MS);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(run, SETTLE_MS);
  };
  return { stop, restart };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
