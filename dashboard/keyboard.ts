/** What can have the keyboard. */
const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** What has the keyboard, with what stands around it, and all that could have had it then, in its order. */
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

/** What is not there, not seen or `disabled` does not take it. */
function takes(element: HTMLElement): boolean {
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Gives the keyboard back to the control that had it, where that was only moved, as in a list of another order. Else to what it names in
 * `data-next`; or to what stood nearest to it, before it rather than behind it, within as little as may be.
 */
function handOn({ around: [last, ...around], controls }: Hold): void {
  const next = last instanceof HTMLElement && !last.isConnected ? last.dataset.next : undefined;
  if (next !== undefined && [...document.querySelectorAll<HTMLElement>(next)].some(takes)) return;
  const at = controls.findIndex((each) => each === last);
  const nearest = [...controls.slice(0, at + 1).reverse(), ...controls.slice(at + 1)];
  for (const part of around) {
    if (!part.isConnected) continue;
    if (nearest.some((each) => part.contains(each) && takes(each))) return;
    // A page of which nothing is left takes it itself.
    if (part instanceof HTMLElement && part.hasAttribute('tabindex') && takes(part)) return;
  }
  // Signed in, or out: all of it is another.
  document.querySelector<HTMLElement>('#page, form input')?.focus({ preventScroll: true });
}

/** Whoever goes on by keyboard goes on where he was, also when the control that he used goes away with what it did. */
export function keepKeyboard(): void {
  let hold = NOTHING;
  // A click beside all controls lets go, too.
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
