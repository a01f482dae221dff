/** Distance from the top or bottom of the window within which the page scrolls, and how far in each frame, in px. */
const SCROLL_ZONE = 96;
const SCROLL_STEP = 9;

interface Row {
  element: HTMLElement;
  middle: number;
}

/**
 * Lets a row of the list follow the pointer that its grip has captured, while the others make room. Calls `onDrop` with
 * the place, from 0, where it is dropped; Escape puts it back. The rows move by CSS only: a finger's events end when its
 * element is moved.
 */
export function dragRow(grip: HTMLElement, press: PointerEvent, onDrop: (place: number) => void): void {
  const dragged = grip.closest("li");
  const list = dragged?.parentElement;
  if (!dragged || !list || press.button !== 0) return;
  const rows = [...list.children].map((element) => toRow(element as HTMLElement));
  const from = rows.findIndex(({ element }) => element === dragged);
  const { height } = dragged.getBoundingClientRect();
  const start = press.clientY + window.scrollY;
  let pointer = press.clientY;
  let place = from;

  function follow(): void {
    const moved = pointer + window.scrollY - start;
    const middle = (rows[from]?.middle ?? 0) + moved;
    place = rows.filter((row, at) => at !== from && row.middle < middle).length;
    rows.forEach(({ element }, at) => {
      const madeRoom = at < from && at >= place ? height : at > from && at <= place ? -height : 0;
      element.style.transform = `translateY(${at === from ? moved : madeRoom}px)`;
    });
  }

  function scroll(): void {
    const isNearTop = pointer < SCROLL_ZONE;
    const isNearBottom = pointer > window.innerHeight - SCROLL_ZONE;
    if (isNearTop || isNearBottom) {
      window.scrollBy({ top: isNearTop ? -SCROLL_STEP : SCROLL_STEP, behavior: "instant" });
      follow();
    }
    frame = requestAnimationFrame(scroll);
  }

  const ending = new AbortController();
  const { signal } = ending;
  function end(isDropped: boolean): void {
    ending.abort();
    cancelAnimationFrame(frame);
    delete list?.dataset.sorting;
    delete dragged?.dataset.dragged;
    for (const { element } of rows) element.style.transform = "";
    if (isDropped && place !== from) onDrop(place);
  }

  list.dataset.sorting = "";
  dragged.dataset.dragged = "";
  grip.addEventListener(
    "pointermove",
    ({ clientY }) => {
      pointer = clientY;
      follow();
    },
    { signal },
  );
  grip.addEventListener("pointerup", () => end(true), { signal });
  // Also after a pointer that is cancelled.
  grip.addEventListener("lostpointercapture", () => end(false), { signal });
  window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  let frame = requestAnimationFrame(scroll);
}

function toRow(element: HTMLElement): Row {
  const { top, height } = element.getBoundingClientRect();
  return { element, middle: top + window.scrollY + height / 2 };
}
