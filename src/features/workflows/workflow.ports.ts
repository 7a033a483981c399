import type { Actor } from '../../platform/access/actor';
import type { Tx } from '../../platform/store/store';

/*
 * Interfaces to features that themselves depend on workflows (`workflows.using`); connected in
 * `domain.ts`. If a port is missing, all references of its kind are taken as valid.
 */

/** What a workflow stores about a connector. */
export interface ConnectorFacts {
  readonly title: string;
  /** Name of the invoker. */
  readonly invoker: string;
}

export interface KnownConnectors {
  /** The existing connectors among these, by id, in one query. */
  facts(ids: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, ConnectorFacts>>;
  /**
   * Connectors with stored values that need confirmation before they are sent, with the names of
   * these fields.
   */
  suspended(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly title: string; readonly fields: readonly string[] }>>;
  ofInvoker(invoker: string): Promise<readonly number[]>;
  /**
   * Writes the records, so that a concurrent deletion conflicts (docs/adr/0010). All of them must
   * exist.
   */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

/** Named secrets; names are folded. */
export interface KnownSecrets {
  known(names: readonly string[], tx?: Tx): Promise<ReadonlySet<string>>;
  /** See `KnownConnectors.claim`. */
  claim(names: readonly string[], tx: Tx): Promise<void>;
}

export interface KnownAggregators {
  known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** See `KnownConnectors.claim`. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

export interface KnownCategories {
  known(ids: readonly number[], tx?: Tx): Promise<ReadonlySet<number>>;
  /** See `KnownConnectors.claim`. */
  claim(ids: readonly number[], tx: Tx): Promise<void>;
}

export interface SchedulesOfWorkflows {
  /** Deletes the schedules of a workflow that is deleted. */
  removeOf(actor: Actor, workflowId: number, tx: Tx): Promise<void>;
}

export interface KnownInvokers {
  /**
   * The operation names of existing invokers, by the given name; names are matched without regard
   * to case.
   */
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
