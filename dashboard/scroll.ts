/**
 * Delay after scrolling before the position is stored, ms: browsers limit changes of the history
 * state.
 */
const STILL_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
let stop = (): void => undefined;

/** Stores the scroll position in the history entry. */
function note(): void {
  clearTimeout(timer);
  history.replaceState({ y: scrollY }, '');
}

/**
 * Scrolls to a position once the page is tall enough: content may load later. Scrolling by the user
 * cancels it.
 */
function goDown(y: number): void {
  stop();
  const ending = new AbortController();
  const observer = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 1) stop();
  });
  stop = () => {
    ending.abort();
    observer.disconnect();
  };
  for (const happening of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(happening, stop, { signal: ending.signal, passive: true });
  observer.observe(document.body);
}

function goWhereItWasLeft(): void {
  clearTimeout(timer);
  const { y } = (history.state ?? {}) as { y?: number };
  if (y === undefined) stop();
  else goDown(y);
}

/** Call before the URL changes. */
export function leaveThisHeight(): void {
  stop();
  note();
}

/**
 * Restores the scroll position after history navigation and reloads; the browser would do so before
 * the content is loaded.
 */
export function keepHeights(): void {
  history.scrollRestoration = 'manual';
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(note, STILL_MS);
    },
    { passive: true },
  );
  addEventListener('popstate', goWhereItWasLeft);
  goWhereItWasLeft();
}
