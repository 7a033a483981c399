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
/**
 * The components that permissions refer to, in the order and with the ids of the released versions;
 * SECRET is new.
 */
export const COMPONENTS = [
  { id: 1, name: 'CONNECTION', description: 'Connection description' },
  { id: 2, name: 'CONNECTOR', description: 'Connector description' },
  { id: 3, name: 'SCHEDULE', description: 'Event description' },
  { id: 4, name: 'USER', description: 'User description' },
  { id: 5, name: 'USERGROUP', description: 'Usergroup description' },
  { id: 6, name: 'MYPROFILE', description: 'My profile description' },
  { id: 7, name: 'DASHBOARD', description: 'Dashboard description' },
  { id: 8, name: 'APP', description: 'Application description' },
  { id: 9, name: 'INVOKER', description: 'Invoker description' },
  { id: 10, name: 'SECRET', description: 'Secret description' },
] as const;

export type ComponentName = (typeof COMPONENTS)[number]['name'];

export const ACTIONS = ['CREATE', 'UPDATE', 'DELETE', 'READ'] as const;
export type Action = (typeof ACTIONS)[number];

/** `USERGROUP:UPDATE`: an action on a component. */
export type Grant = `${ComponentName}:${Action}`;

/** The group whose members are administrators. */
export const ADMIN_GROUP = 'Admin';
/** The group of all other users on a new installation. */
export const USER_GROUP = 'User';
