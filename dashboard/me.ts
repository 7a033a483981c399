import { computed, signal } from '@preact/signals';
import { ask } from './api/ask';
import { connection } from './api/live';
import { signedIn } from './api/session';
import { WhoAmIDocument } from './generated/operations';
import type { WhoAmIQuery } from './generated/operations';
import { place } from './place';

type Me = WhoAmIQuery['me'];

/** Minimum interval between lookups when the window gets the focus repeatedly, ms. */
const AGAIN_MS = 2_000;

/** The signed-in user, or null until the service has responded. */
export const me = signal<Me | null>(null);

/** Counts changes of the user's rights. Queries reload when it changes. */
export const rightsChanged = signal(0);

const rightsOf = ({ group, permissions }: Me): string =>
  JSON.stringify([group.name, [...permissions].sort()]);

let looks = 0;
let lookedAt = -Infinity;

/** Loads the current user and their rights. Errors are reported by the queries of the page. */
export function lookWhoIAm(): void {
  const look = ++looks;
  lookedAt = performance.now();
  ask(WhoAmIDocument, {}).then(
    ({ me: found }) => {
      // Ignores an outdated response: a newer request is running, or another user signed in.
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

// The service does not announce new rights, so they are loaded on focus, on return to the tab, and
// on reconnect.
addEventListener('focus', lookAgain);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) lookAgain();
});
computed(() => place.value.path).subscribe(lookAgain);
connection.subscribe((now) => {
  if (now === 'open') lookAgain();
});

const ADMINISTRATORS = 'Admin';

/** Returns whether the user has a right; true until the rights are loaded. */
export const may = computed(() => {
  const found = me.value;
  const isAdministrator = found?.group.name === ADMINISTRATORS;
  return (grant: string): boolean =>
    found === null || isAdministrator || (grant !== 'admin' && found.permissions.includes(grant));
});
