const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * The focused element with its ancestors, and all focusable elements at that time, in document
 * order.
 */
interface FocusSnapshot {
  readonly ancestors: readonly Element[];
  readonly focusable: readonly HTMLElement[];
}

const NO_FOCUS: FocusSnapshot = { ancestors: [], focusable: [] };

function snapshotOf(element: Element | null): FocusSnapshot {
  if (element === null || element === document.body) return NO_FOCUS;
  const ancestors: Element[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement)
    ancestors.push(each);
  return { ancestors, focusable: [...document.querySelectorAll<HTMLElement>(FOCUSABLE)] };
}

/** Tries to focus an element; returns false if it is missing, invisible or `disabled`. */
function tryFocus(element: HTMLElement): boolean {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Restores the focus after its element was removed: to the element itself if it was only moved,
 * else to the one named in `data-next`, else to the nearest one (preceding elements first) in the
 * smallest remaining ancestor.
 */
function restoreFocus({ ancestors: [last, ...ancestors], focusable }: FocusSnapshot): void {
  const next = last instanceof HTMLElement && !last.isConnected ? last.dataset.next : undefined;
  if (next !== undefined && [...document.querySelectorAll<HTMLElement>(next)].some(tryFocus))
    return;
  const at = focusable.findIndex((each) => each === last);
  const nearest = [...focusable.slice(0, at + 1).reverse(), ...focusable.slice(at + 1)];
  for (const part of ancestors) {
    if (!part.isConnected) continue;
    if (nearest.some((each) => part.contains(each) && tryFocus(each))) return;
    // If nothing focusable remains in the page, the page itself gets the focus.
    if (part instanceof HTMLElement && part.hasAttribute('tabindex') && tryFocus(part)) return;
  }
  // After a sign-in or sign-out the whole page is different.
  document.querySelector<HTMLElement>('#page, form input')?.focus({ preventScroll: true });
}

/** Keeps the keyboard focus in place when the focused control is removed. */
export function preserveFocus(): void {
  let snapshot = NO_FOCUS;
  // A click outside all controls releases the focus.
  for (const type of ['focusin', 'click'])
    document.addEventListener(
      type,
      () => {
        snapshot = snapshotOf(document.activeElement);
      },
      true,
    );
  new MutationObserver((changes) => {
    const [last] = snapshot.ancestors;
    if (last === undefined || document.activeElement !== document.body) return;
    if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last))))
      restoreFocus(snapshot);
  }).observe(document.documentElement, { childList: true, subtree: true });
}
