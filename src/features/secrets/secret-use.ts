import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { SecretRecord } from './secret.model';
import type { SecretUsers } from './secret.ports';

/** Titles that are told. */
const MOST_TITLES = 20;

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
      const titles = users.slice(0, MOST_TITLES).map(({ title }) => JSON.stringify(title)).join(', ');
      const more = users.length > MOST_TITLES ? ` and ${users.length - MOST_TITLES} more` : '';
      throw new Conflict('SECRET_IN_USE', `The secret ${name} is used by ${titles}${more}.`, { path });
    },
  };
}
