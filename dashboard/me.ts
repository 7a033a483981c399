import { computed, signal } from '@preact/signals';
import { ask } from './api/ask';
import { signedIn } from './api/session';
import { WhoAmIDocument } from './generated/operations';
import type { WhoAmIQuery } from './generated/operations';

type Me = WhoAmIQuery['me'];

/** Who is signed in, as far as the frame shows it. Null until the service has said so. */
export const me = signal<Me | null>(null);

/** Looks who that is, and what he may by now. What goes wrong here is told by what the page itself asks. */
export function lookWhoIAm(): void {
  ask(WhoAmIDocument, {}).then(({ me: found }) => { me.value = found; }, () => undefined);
}

signedIn.subscribe((state) => {
  me.value = null;
  if (state === 'signed-in') lookWhoIAm();
});

const ADMINISTRATORS = 'Admin';

/** What a page is about, by the right it needs. */
export const may = computed(() => {
  const found = me.value;
  const isAdministrator = found?.group.name === ADMINISTRATORS;
  return (grant: string): boolean => found === null || isAdministrator || (grant !== 'admin' && found.permissions.includes(grant));
});
