import type { Tx } from '../../platform/store/store';

export interface SecretUser {
  readonly workflowId: number;
  readonly title: string;
}

/**
 * Finds the workflows that use secrets; keys are folded names. An interface, because workflows
 * depend on secrets as well (`KnownSecrets`).
 */
export interface SecretUsers {
  using(things: { readonly secrets: readonly string[] }, tx?: Tx): Promise<readonly SecretUser[]>;
  /** Returns the users of several secrets in one query. Unused secrets are omitted. */
  usersOfSecrets(keys: readonly string[]): Promise<ReadonlyMap<string, readonly SecretUser[]>>;
}
