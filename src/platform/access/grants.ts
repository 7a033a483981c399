import { ACTIONS, COMPONENTS } from './catalogue';
import type { Action, ComponentName } from './catalogue';

/** The two parts of a `Grant`. */
export interface HeldGrant {
  readonly component: ComponentName;
  readonly action: Action;
}

/**
 * Returns the known grants in what a group allows, in the order of the catalogue. `allows` reads
 * the same set.
 */
export const knownGrants = (held: ReadonlySet<string>): HeldGrant[] =>
  COMPONENTS.flatMap(({ name: component }) =>
    ACTIONS.filter((action) => held.has(`${component}:${action}`)).map((action) => ({
      component,
      action,
    })),
  );
