/** How long a second press is ignored. Operating systems count two clicks within 500 ms, 900 ms at most, as a double click. */
export const IGNORE_PRESS_MS = 1000;
/** How far the pointer may move between the two presses, in px. */
const STRAY = 8;

interface Press {
  currentTarget: Element;
  detail: number;
  clientX: number;
  clientY: number;
  nativeEvent: MouseEvent;
}

/**
 * Call it when pressing a button puts another button under the pointer or the focus: a double click would press that one
 * too. A finger, Enter and the space bar are ignored until a second has passed without them. So is a mouse where the button
 * is still in its place, as after a failed call; elsewhere until it leaves the place, or moves after that second.
 */
export function ignoreSecondPress(press: Press): void {
  // `detail` counts the presses of a pointer: 0 for a click by a key.
  if (press.detail === 0) ignoreKeys();
  else coverButton(press);
}

/** A click handler that runs this, and then ignores a second press. */
export function pressOnce(run: () => void): (press: Press) => void {
  return (press) => {
    ignoreSecondPress(press);
    run();
  };
}

function coverButton({ currentTarget, clientX, clientY, nativeEvent }: Press): void {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const place = new DOMRect(left - STRAY, top - STRAY, width + 2 * STRAY, height + 2 * STRAY);
  const cover = document.createElement("div");
  cover.dataset.pressGuard = "";
  Object.assign(cover.style, {
    position: "fixed",
    left: `${place.left}px`,
    top: `${place.top}px`,
    width: `${place.width}px`,
    height: `${place.height}px`,
    zIndex: "10000",
  });
  const isMouse = isOfMouse(nativeEvent);
  const label = labelOf(currentTarget);
  let isSettled = false;
  const settling = restartable(() => {
    isSettled = true;
    const under = document.elementsFromPoint(clientX, clientY).find((element) => element !== cover);
    const isStill = currentTarget.contains(under ?? null) && labelOf(currentTarget) === label;
    if (!isMouse || (isStill && !currentTarget.matches(":disabled"))) release();
    else if (currentTarget.isConnected) settling.restart();
  });
  // On the window: a pointer that left before the cover was drawn sends no event to the cover.
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
  // A press on the cover must not move the focus, nor close a dialog or menu as a press outside it.
  for (const type of ["pointerdown", "mousedown", "touchstart", "click"]) {
    cover.addEventListener(type, (event) => {
      swallow(event);
      if (!isMouse) settling.restart();
    });
  }
  document.body.append(cover);
}

function labelOf(button: Element): string {
  return `${button.ariaLabel} ${button.textContent}`;
}

/** Older browsers do not say which pointer made a click. */
function isOfMouse(click: MouseEvent): boolean {
  const from = click instanceof PointerEvent ? click.pointerType : "";
  return from ? from === "mouse" : window.matchMedia("(hover: hover)").matches;
}

/** Call it when something was done that many people press Enter after: what has the focus then must not be pressed. */
export function ignoreKeys(): void {
  const settling = restartable(release);
  function release(): void {
    settling.stop();
    window.removeEventListener("pointerdown", release, true);
    for (const type of ["keydown", "keyup"] as const) window.removeEventListener(type, rest, true);
  }
  function rest(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") {
      swallow(event);
      // A key that is held down repeats.
      settling.restart();
    } else if (event.type === "keydown") release();
  }
  window.addEventListener("pointerdown", release, true);
  for (const type of ["keydown", "keyup"] as const) window.addEventListener(type, rest, true);
}

/** Calls `run` a second after the last start. */
function restartable(run: () => void) {
  let timer = setTimeout(run, IGNORE_PRESS_MS);
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(run, IGNORE_PRESS_MS);
  };
  return { stop, restart };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
