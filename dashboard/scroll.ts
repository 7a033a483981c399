/** While one scrolls it is not noted each time how far: browsers allow few changes of the address and its state. */
const STILL_MS = 150;

let timer: ReturnType<typeof setTimeout> | undefined;
let stop = (): void => undefined;

/** Notes with the entry of the history how far down it is looked at. */
function note(): void {
  clearTimeout(timer);
  history.replaceState({ y: scrollY }, '');
}

/** Goes so far down, as soon as there is so much: what is listed there comes a moment later. Whoever scrolls meanwhile goes where he likes. */
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

/** To be called before the address becomes another. */
export function leaveThisHeight(): void {
  stop();
  note();
}

/** Whoever goes back, forth or loads anew finds a page as far down as he left it: the browser itself would do so before the page is there again. */
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
