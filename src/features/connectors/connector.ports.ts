import type { InvokerFacts } from '../../engine';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';

/*
 * What connectors ask of features that ask connectors in their turn: small interfaces, wired in `domain.ts` by closures.
 */

export type { InvokerFacts, Operation, RequiredField, Visibility } from '../../engine';

/** The invokers there are. */
export interface KnownInvokers {
  byName(name: string): Promise<InvokerFacts | null>;
  /** Those that exist, by name: one read for all. */
  byNames(names: readonly string[]): Promise<ReadonlyMap<string, InvokerFacts>>;
  /** Writes its record, so that a deletion that runs beside it conflicts (docs/adr/0010). */
  claim(name: string, tx: Tx, path: InputPath): Promise<void>;
}

/** The workflows that use a connector. */
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
