import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import { toldTitles } from '../../platform/text/characters';
import type { SecretRecord } from './secret.model';
import type { SecretUsers } from './secret.ports';

export type SecretUse = ReturnType<typeof createSecretUse>;

/** Prevents changes to secrets that workflows use. */
export function createSecretUse({ workflows }: { workflows: SecretUsers }) {
  return {
    /**
     * Call it in the transaction of the change, which must write the record: a workflow saved at
     * the same time writes it too, and one of the two is retried.
     * @throws Conflict SECRET_IN_USE with the titles of the workflows
     */
    async requireUnused({ name, nameKey }: SecretRecord, path: InputPath, tx: Tx): Promise<void> {
      const users = await workflows.using({ secrets: [nameKey] }, tx);
      if (users.length === 0) return;
      throw new Conflict('SECRET_IN_USE', `The secret ${name} is used by ${toldTitles(users)}.`, {
        path,
      });
    },
  };
}
