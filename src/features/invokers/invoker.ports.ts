import type { Tx } from '../../platform/store/store';

/*
 * What invokers ask of features that ask invokers in their turn: small interfaces, wired in `domain.ts` by closures.
 */

/** A connector or a workflow that uses an invoker. */
export interface InvokerUser {
  readonly title: string;
}

export interface InvokerPorts {
  /** The connectors of these invokers. */
  connectorsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
  /** The workflows in which one of these invokers is named. */
  workflowsUsing(names: readonly string[], tx?: Tx): Promise<readonly InvokerUser[]>;
}
