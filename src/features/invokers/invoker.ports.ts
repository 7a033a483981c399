import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';
import type { InvokerDefinition } from './invoker';

/*
 * What invokers ask of features that ask invokers in their turn: small interfaces, wired in `domain.ts` by closures.
 */

/** A connector or a workflow that uses an invoker. */
export interface InvokerUser {
  readonly title: string;
}

/** An invoker before and after it was added, replaced or deleted; null: there is none. */
export interface InvokerChange {
  readonly name: string;
  readonly before: () => Promise<InvokerDefinition | null>;
  readonly after: () => Promise<InvokerDefinition | null>;
}

export interface InvokerPorts {
  /** The connectors of these invokers. */
  connectorsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
  /** Records what the change means for the credentials of the connectors that use it. */
  recordChange(actor: Actor, change: InvokerChange, tx: Tx): Promise<void>;
  /** The workflows in which one of these invokers is named. */
  workflowsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
}
