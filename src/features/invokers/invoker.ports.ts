import type { InvokerFacts } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';

/**
 * An invoker before and after a change; null if it does not exist. Read only if a connector uses
 * it.
 */
export interface InvokerChange {
  readonly name: string;
  readonly before: () => Promise<InvokerFacts | null>;
  readonly after: () => Promise<InvokerFacts | null>;
}

export interface ConnectorsOfInvokers {
  /** Returns the connectors of these invokers. Names are compared without case. */
  ofInvokers(names: readonly string[], tx?: Tx): Promise<readonly { readonly title: string }[]>;
}

/** Audits the effect of changed invokers on connectors. */
export interface InvokerChanges {
  recordInvokerChange(actor: Actor, change: InvokerChange, tx: Tx): Promise<void>;
}
