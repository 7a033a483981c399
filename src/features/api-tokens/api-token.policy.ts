import { ADMIN_SCOPE } from '../../platform/access/actor';
import { COMPONENTS, ACTIONS } from '../../platform/access/catalogue';
import type { Need } from '../../platform/access/need';

export const apiTokenPolicy = {
  create: 'authenticated',
  readOwn: 'authenticated',
  /** The tokens of a user. */
  read: { own: 'authenticated', others: 'USER:READ' },
  /** Of one's own tokens, or with USER:UPDATE of all; the service checks once the owner is known. */
  revoke: 'authenticated',
  revokeOf: { own: 'authenticated', others: 'USER:UPDATE' },
} as const satisfies Record<string, Need>;

/** All scopes: `component:action`, and `admin`. */
export const SCOPES: readonly string[] = [
  ...COMPONENTS.flatMap(({ name }) => ACTIONS.map((action) => `${name}:${action}`)),
  ADMIN_SCOPE,
];
