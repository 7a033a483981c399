import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';

/*
 * What workflows ask of features that ask workflows in their turn (`workflows.using`): small interfaces, wired in `domain.ts` by closures.
 * Where a port is missing, whatever a workflow names is taken for known.
 */

/** What a workflow says of a connector it names. */
export interface ConnectorFacts {
  readonly title: string;
  /** Name of its invoker. */
  readonly invoker: string;
}

/** The connectors there are. */
export interface KnownConnectors {
  /** Of those that exist, by id: one read for all. */
  facts(ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, ConnectorFacts>>;
  /** Those that have stored values which need a confirmation before they are sent, with the names of these fields. */
  suspended(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly title: string; readonly fields: readonly string[] }>>;
  /** Ids of all connectors of an invoker. */
  ofInvoker(invoker: string): Promise<readonly number[]>;
  /** Writes their records, so that a deletion that runs beside it conflicts (docs/adr/0010). All of them exist. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

/** The named secrets there are; names are folded. */
export interface KnownSecrets {
  known(names: readonly string[], tx?: Tx): Promise<ReadonlySet<string>>;
  /** Like that of connectors. */
  claim(names: readonly string[], tx: Tx): Promise<void>;
}

/** The aggregators there are. */
export interface KnownAggregators {
  known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** Like that of connectors. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

/** The categories there are. */
export interface KnownCategories {
  known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** Like that of connectors. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

/** The schedules of workflows. */
export interface SchedulesOfWorkflows {
  /** They go with their workflow. */
  removeOf(actor: Actor, workflowId: number, tx: Tx): Promise<void>;
}

/** The invokers there are. */
export interface KnownInvokers {
  /** The names of the operations of those that exist, by the name that was asked for, however it is spelt. */
  operations(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}

export interface WorkflowPorts {
  readonly invokers?: KnownInvokers;
  readonly connectors?: KnownConnectors;
  readonly secrets?: KnownSecrets;
  readonly aggregators?: KnownAggregators;
  readonly categories?: KnownCategories;
  readonly schedules?: SchedulesOfWorkflows;
}
