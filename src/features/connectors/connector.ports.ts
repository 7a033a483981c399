import type { InvokerFacts } from '../../engine';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';

/*
 * Interfaces to features that depend on connectors themselves. `domain.ts` connects them by
 * closures.
 */

export type { InvokerFacts, Operation, RequiredField, Visibility } from '../../engine';

export interface KnownInvokers {
  byName(name: string): Promise<InvokerFacts | null>;
  /** Returns the existing invokers by name. One query. */
  byNames(names: readonly string[]): Promise<ReadonlyMap<string, InvokerFacts>>;
  /** Writes its record, so that a concurrent deletion conflicts (docs/adr/0010). */
  claim(name: string, tx: Tx, path: InputPath): Promise<void>;
}

export interface ConnectorUsers {
  using(
    things: { readonly connectorIds: readonly number[] },
    tx?: Tx,
  ): Promise<readonly { readonly workflowId: number; readonly title: string }[]>;
}

export interface ConnectorPorts {
  readonly invokers: KnownInvokers;
  readonly workflows: ConnectorUsers;
}
