/** What is taken from the portal. */
export const ONLINE_KINDS = {
  INVOKER: 'Invokers, identified by name.',
  TEMPLATE: 'Templates of workflows, identified by their UUID.',
} as const satisfies Record<string, string>;
export type OnlineKind = keyof typeof ONLINE_KINDS;
export const KINDS = Object.keys(ONLINE_KINDS) as OnlineKind[];

/** What a synchronisation did with an item, or would do in a dry run. */
export const ONLINE_ACTIONS = {
  ADDED: 'It was missing here, and was added.',
  UPDATED: 'It was not changed here since it was taken, and was updated.',
  LINKED: 'It has the same content here and there. From now on it is updated.',
  UNCHANGED: 'Nothing changed.',
  KEPT: 'It was changed or deleted here, and not in the portal.',
  CONFLICT: 'It was changed here and in the portal. The local state was kept.',
  GONE: 'The portal no longer has it. The local state was kept.',
  FAILED: 'It could not be read or written. Nothing was changed.',
} as const satisfies Record<string, string>;
export type OnlineAction = keyof typeof ONLINE_ACTIONS;
export const ACTIONS = Object.keys(ONLINE_ACTIONS) as OnlineAction[];

/** Why an item is not updated by itself. */
export const CONFLICT_REASONS = {
  CHANGED: 'It was changed here and in the portal.',
  DELETED: 'It was deleted here and changed in the portal.',
  NOT_TAKEN: 'It exists here with other content, and was never taken from the portal.',
} as const satisfies Record<string, string>;
export type ConflictReason = keyof typeof CONFLICT_REASONS;

/** Whether a synchronisation has ended. */
export const SYNCHRONISATION_STATES = {
  RUNNING: 'Running.',
  SUCCEEDED: 'All items of the portal were compared.',
  FAILED: 'The portal could not be read, or the synchronisation was interrupted.',
} as const satisfies Record<string, string>;
export type SynchronisationStateName = keyof typeof SYNCHRONISATION_STATES;

/** The id of an item by its kind and the key of the local record: `INVOKER/demo`. */
export const itemId = (kind: OnlineKind, key: string): string => `${kind}/${key}`;

/** Fingerprints of the contents of an item; equal contents have the same fingerprint. */
interface ItemStates {
  /** When it was last taken from the portal, or kept on purpose; null: never. */
  readonly base: string | null;
  /** Here; null: it does not exist. */
  readonly local: string | null;
  /** In the portal. */
  readonly portal: string;
}

type Decision =
  | { readonly action: 'ADDED' | 'UPDATED' | 'LINKED' | 'UNCHANGED' | 'KEPT' }
  | { readonly action: 'CONFLICT'; readonly reason: ConflictReason };

/** The three-way rule: local changes are never overwritten. */
export function decide({ base, local, portal }: ItemStates): Decision {
  if (local === portal) return { action: base === portal ? 'UNCHANGED' : 'LINKED' };
  if (base === portal) return { action: 'KEPT' };
  if (local === base) return { action: local === null ? 'ADDED' : 'UPDATED' };
  if (local === null) return { action: 'CONFLICT', reason: 'DELETED' };
  return { action: 'CONFLICT', reason: base === null ? 'NOT_TAKEN' : 'CHANGED' };
}
