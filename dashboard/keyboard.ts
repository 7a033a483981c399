const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * The focused element with its ancestors, and all focusable elements at that time, in document
 * order.
 */
interface Hold {
  readonly around: readonly Element[];
  readonly controls: readonly HTMLElement[];
}

const NOTHING: Hold = { around: [], controls: [] };

function holdOf(element: Element | null): Hold {
  if (element === null || element === document.body) return NOTHING;
  const around: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement)
    around.push(each);
  return { around, controls: [...document.querySelectorAll<HTMLElement>(CONTROLS)] };
}

/** Tries to focus an element; returns false if it is missing, invisible or `disabled`. */
function takes(element: HTMLElement): boolean {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Restores the focus after its element was removed: to the element itself if it was only moved,
 * else to the one named in `data-next`, else to the nearest one (preceding elements first) in the
 * smallest remaining ancestor.
 */
function handOn({ around: [last, ...around], controls }: Hold): void {
  const next = last instanceof HTMLElement && !last.isConnected ? last.dataset.next : undefined;
  if (next !== undefined && [...document.querySelectorAll<HTMLElement>(next)].some(takes)) return;
  const at = controls.findIndex((each) => each === last);
  const nearest = [...controls.slice(0, at + 1).reverse(), ...controls.slice(at + 1)];
  for (const part of around) {
    if (!part.isConnected) continue;
    if (nearest.some((each) => part.contains(each) && takes(each))) return;
    // If nothing focusable remains in the page, the page itself gets the focus.
    if (part instanceof HTMLElement && part.hasAttribute('tabindex') && takes(part)) return;
  }
  // After a sign-in or sign-out the whole page is different.
  document.querySelector<HTMLElement>('#page, form input')?.focus({ preventScroll: true });
}

/** Keeps the keyboard focus in place when the focused control is removed. */
export function keepKeyboard(): void {
  let hold = NOTHING;
  // A click outside all controls releases the focus.
  for (const happening of ['focusin', 'click'])
    document.addEventListener(
      happening,
      () => {
        hold = holdOf(document.activeElement);
      },
      true,
    );
  new MutationObserver((changes) => {
    const [last] = hold.around;
    if (last === undefined || document.activeElement !== document.body) return;
    if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last))))
      handOn(hold);
  }).observe(document.documentElement, { childList: true, subtree: true });
}
