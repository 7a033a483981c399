import { ACTIONS, COMPONENTS } from './catalogue';
import type { Action, ComponentName } from './catalogue';

/** An action on a component, in its two parts. */
export interface HeldGrant {
  readonly component: ComponentName;
  readonly action: Action;
}

/** Of what a group allows, all that an operation can ask for, in the order of the catalogue: what `allows` looks for in the same set. */
export const knownGrants = (held: ReadonlySet<string>): HeldGrant[] =>
  COMPONENTS.flatMap(({ name: component }) =>
    ACTIONS.filter((action) => held.has(`${component}:${action}`)).map((action) => ({
      component,
      action,
    })),
  );
