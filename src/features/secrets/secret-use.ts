import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import { toldTitles } from '../../platform/text/told-titles';
import type { SecretRecord } from './secret.model';
import type { SecretUsers } from './secret.ports';

export type SecretUse = ReturnType<typeof createSecretUse>;

/** The rule that what workflows name stays. */
export function createSecretUse({ workflows }: { workflows: SecretUsers }) {
  return {
    /**
     * To be asked in the transaction of the change, which writes the record: a workflow that is being saved with it writes it too, and one of the two starts again.
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
