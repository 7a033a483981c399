import type { Tx } from '../../platform/store/store';

/** A workflow that names a secret. */
export interface SecretUser {
  readonly workflowId: number;
  readonly title: string;
}

/** The workflows that name secrets; keys are folded names. A small interface: workflows ask secrets in their turn (`KnownSecrets`). */
export interface SecretUsers {
  using(things: { readonly secrets: readonly string[] }, tx?: Tx): Promise<readonly SecretUser[]>;
  /** The same for each of several, in one read; without those that nobody names. */
  usersOfSecrets(keys: readonly string[]): Promise<ReadonlyMap<string, readonly SecretUser[]>>;
}
