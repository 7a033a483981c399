import { computed, signal } from '@preact/signals';
import { request } from './api/request';
import { signedIn } from './api/session';
import { connection } from './api/subscriptions';
import { WhoAmIDocument } from './generated/operations';
import type { WhoAmIQuery } from './generated/operations';
import { route } from './router';

type CurrentUser = WhoAmIQuery['me'];

/** Minimum interval between requests when the window gets the focus repeatedly, ms. */
const MIN_RELOAD_INTERVAL_MS = 2_000;

/** The signed-in user, or null until the service has responded. */
export const currentUser = signal<CurrentUser | null>(null);

/** Counts changes of the user's permissions. Queries reload when it changes. */
export const permissionsVersion = signal(0);

const permissionsKey = ({ group, permissions }: CurrentUser): string =>
  JSON.stringify([group.name, [...permissions].sort()]);

let requests = 0;
let requestedAt = -Infinity;

/** Loads the current user and their permissions. Errors are reported by the queries of the page. */
export function loadCurrentUser(): void {
  const current = ++requests;
  requestedAt = performance.now();
  request(WhoAmIDocument, {}).then(
    ({ me }) => {
      // Ignores an outdated response: a newer request is running, or another user signed in.
      if (current !== requests) return;
      const before = currentUser.value;
      currentUser.value = me;
      if (before !== null && permissionsKey(before) !== permissionsKey(me))
        permissionsVersion.value += 1;
    },
    () => undefined,
  );
}

function reloadCurrentUser(): void {
  if (signedIn.value === 'signed-in' && performance.now() - requestedAt > MIN_RELOAD_INTERVAL_MS)
    loadCurrentUser();
}

signedIn.subscribe((state) => {
  requests += 1;
  currentUser.value = null;
  if (state === 'signed-in') loadCurrentUser();
});

// The service does not announce new permissions, so they are loaded on focus, on return to the tab, and
// on reconnect.
addEventListener('focus', reloadCurrentUser);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) reloadCurrentUser();
});
computed(() => route.value.path).subscribe(reloadCurrentUser);
connection.subscribe((now) => {
  if (now === 'open') reloadCurrentUser();
});

const ADMIN_GROUP = 'Admin';

/** Returns whether the user has a permission; true until the permissions are loaded. */
export const hasPermission = computed(() => {
  const user = currentUser.value;
  const isAdmin = user?.group.name === ADMIN_GROUP;
  return (permission: string): boolean =>
    user === null || isAdmin || (permission !== 'admin' && user.permissions.includes(permission));
});
