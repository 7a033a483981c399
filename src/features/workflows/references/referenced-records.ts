import type { InvokerFacts } from '../../../engine';
import type { Tx } from '../../../platform/store/store';

/*
 * What workflows need of the records that they refer to. The features of these records in turn look
 * up workflows through `WorkflowReferences`.
 */

/** What a workflow stores about a connector. */
export interface ConnectorFacts {
  readonly title: string;
  /** Name of the invoker. */
  readonly invoker: string;
}

/** A connector with stored values that need confirmation, with the names of these fields. */
export interface SuspendedConnector {
  readonly title: string;
  readonly fields: readonly string[];
}

export interface KnownConnectors {
  /** The existing connectors among these, by id, in one query. */
  facts(ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, ConnectorFacts>>;
  /** The connectors among these whose stored values need confirmation before they are sent. */
  suspended(ids: readonly number[]): Promise<ReadonlyMap<number, SuspendedConnector>>;
  ofInvoker(invoker: string): Promise<readonly number[]>;
  /**
   * Writes the records, so that a concurrent deletion conflicts (docs/adr/0010). All of them must
   * exist.
   */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

/** Named secrets; names are folded. */
export interface KnownSecrets {
  findExisting(names: readonly string[], tx?: Tx): Promise<ReadonlySet<string>>;
  /** See `KnownConnectors.claim`. */
  claim(names: readonly string[], tx: Tx): Promise<void>;
}

interface KnownAggregators {
  findExisting(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** See `KnownConnectors.claim`. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

interface KnownCategories {
  findExisting(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** See `KnownConnectors.claim`. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

interface KnownInvokers {
  /**
   * The operation names of existing invokers, by the given name; names are matched without regard
   * to case.
   */
  operations(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** The existing invokers by the given name. */
  byNames(names: readonly string[]): Promise<ReadonlyMap<string, InvokerFacts>>;
}

/** The records that documents refer to. */
export interface ReferencedRecords {
  readonly invokers: KnownInvokers;
  readonly connectors: KnownConnectors;
  readonly secrets: KnownSecrets;
  readonly aggregators: KnownAggregators;
  readonly categories: KnownCategories;
}
