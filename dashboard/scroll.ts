/**
 * Delay after scrolling before the position is stored, ms: browsers limit changes of the history
 * state.
 */
const SAVE_DELAY_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
let stopRestoring = (): void => undefined;

/** Stores the scroll position in the history entry. */
function savePosition(): void {
  clearTimeout(timer);
  history.replaceState({ y: scrollY }, '');
}

/**
 * Scrolls to a position once the page is tall enough: content may load later. Scrolling by the user
 * cancels it.
 */
function scrollWhenTallEnough(y: number): void {
  stopRestoring();
  const controller = new AbortController();
  const observer = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 1) stopRestoring();
  });
  stopRestoring = () => {
    controller.abort();
    observer.disconnect();
  };
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(type, stopRestoring, { signal: controller.signal, passive: true });
  observer.observe(document.body);
}

function restorePosition(): void {
  clearTimeout(timer);
  const { y } = (history.state ?? {}) as { y?: number };
  if (y === undefined) stopRestoring();
  else scrollWhenTallEnough(y);
}

/** Call before the URL changes. */
export function saveBeforeNavigation(): void {
  stopRestoring();
  savePosition();
}

/**
 * Restores the scroll position after history navigation and reloads; the browser would do so before
 * the content is loaded.
 */
export function enableScrollRestoration(): void {
  history.scrollRestoration = 'manual';
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(savePosition, SAVE_DELAY_MS);
    },
    { passive: true },
  );
  addEventListener('popstate', restorePosition);
  restorePosition();
}
