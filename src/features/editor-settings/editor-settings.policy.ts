import type { Need } from '../../platform/access/need';

export const editorSettingsPolicy = {
  read: { own: 'authenticated', others: 'USER:READ' },
  /** Users replace only their own. */
  replace: 'authenticated',
} as const satisfies Record<string, Need>;
