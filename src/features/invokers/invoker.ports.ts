import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { InvokerDefinition } from './invoker';

/*
 * Interfaces to features that depend on invokers themselves. `domain.ts` connects them by closures.
 */

export interface InvokerUser {
  readonly title: string;
}

/** An invoker before and after a change; null if it does not exist. */
export interface InvokerChange {
  readonly name: string;
  readonly before: () => Promise<InvokerDefinition | null>;
  readonly after: () => Promise<InvokerDefinition | null>;
}

export interface InvokerPorts {
  connectorsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
  /** Audits the effect of the change on the credentials of its connectors. */
  recordChange(actor: Actor, change: InvokerChange, tx: Tx): Promise<void>;
  workflowsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
}
