import { computed, signal } from '@preact/signals';
import { ask } from './api/ask';
import { connection } from './api/live';
import { signedIn } from './api/session';
import { WhoAmIDocument } from './generated/operations';
import type { WhoAmIQuery } from './generated/operations';
import { place } from './place';

type Me = WhoAmIQuery['me'];

/** Who comes back, goes on and comes back at once is looked up once, ms. */
const AGAIN_MS = 2_000;

/** Who is signed in, as far as the frame shows it. Null until the service has said so. */
export const me = signal<Me | null>(null);

/** How often what he may has changed while he was signed in: what is shown is asked anew then. */
export const rightsChanged = signal(0);

const rightsOf = ({ group, permissions }: Me): string =>
  JSON.stringify([group.name, [...permissions].sort()]);

let looks = 0;
let lookedAt = -Infinity;

/** Looks who that is, and what he may by now. What goes wrong here is told by what the page itself asks. */
export function lookWhoIAm(): void {
  const look = ++looks;
  lookedAt = performance.now();
  ask(WhoAmIDocument, {}).then(
    ({ me: found }) => {
      // A later look knows better, and somebody else may have signed in.
      if (look !== looks) return;
      const before = me.value;
      me.value = found;
      if (before !== null && rightsOf(before) !== rightsOf(found)) rightsChanged.value += 1;
    },
    () => undefined,
  );
}

function lookAgain(): void {
  if (signedIn.value === 'signed-in' && performance.now() - lookedAt > AGAIN_MS) lookWhoIAm();
}

signedIn.subscribe((state) => {
  looks += 1;
  me.value = null;
  if (state === 'signed-in') lookWhoIAm();
});

// Nobody is told of a right that he is given: it is looked for when he comes back, goes on, or is connected again.
addEventListener('focus', lookAgain);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) lookAgain();
});
computed(() => place.value.path).subscribe(lookAgain);
connection.subscribe((now) => {
  if (now === 'open') lookAgain();
});

const ADMINISTRATORS = 'Admin';

/** What a page is about, by the right it needs. */
export const may = computed(() => {
  const found = me.value;
  const isAdministrator = found?.group.name === ADMINISTRATORS;
  return (grant: string): boolean =>
    found === null || isAdministrator || (grant !== 'admin' && found.permissions.includes(grant));
});
