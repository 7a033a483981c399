import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';

/*
 * What connectors ask of features that ask connectors in their turn: small interfaces, wired in `domain.ts` by closures.
 */

/** Who sees a field: everybody who reads the connector, nobody, or nobody because it is computed. */
export type Visibility = 'public' | 'protected' | 'private';

/** A field of the credentials, as an invoker asks for it. */
export interface RequiredField {
  readonly name: string;
  readonly type: string;
  readonly visibility: Visibility;
  /** Its default, or an expression that computes it; empty for none. */
  readonly value: string;
}

/** The body of a request or an answer. */
export interface OperationBody {
  readonly format: string;
  readonly data: string;
  /** Objects, lists, texts and null. */
  readonly value: unknown;
}

/** One call that a remote system understands. */
export interface Operation {
  readonly name: string;
  /** `test` for the one that is made to look whether the credentials are right. */
  readonly type: string;
  readonly request: {
    readonly endpoint: string;
    readonly method: string;
    readonly header: readonly { readonly name: string; readonly value: string }[];
    readonly body: OperationBody | null;
  };
  /** What it answers when it did not work. */
  readonly fail: { readonly body: OperationBody | null } | null;
}

/** How to speak to a kind of remote system. */
export interface InvokerFacts {
  readonly name: string;
  readonly requiredData: readonly RequiredField[];
  readonly operations: readonly Operation[];
}

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
  using(things: { readonly connectorIds: readonly number[] }, tx?: Tx): Promise<readonly { readonly workflowId: number; readonly title: string }[]>;
}

export interface ConnectorPorts {
  readonly invokers: KnownInvokers;
  readonly workflows: ConnectorUsers;
}
