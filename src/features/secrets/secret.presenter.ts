import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { SecretBody, SecretList } from './secret.schema';
import type { SecretInUse } from './secret.service';

/** REST representations of secrets. */
export interface SecretPresenters {
  readonly one: Presenter<[SecretInUse]>;
  readonly list: Presenter<[AsyncIterable<SecretInUse>]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly secrets: SecretPresenters;
  }
}

const present = ({
  secret: { id, name, note, origins },
  users,
}: SecretInUse): z.output<typeof SecretBody> => ({
  secretId: id,
  name,
  note,
  origins: [...origins],
  usedBy: users.map(({ workflowId, title }) => ({ connectionId: workflowId, title })),
});

/** Streams a list. */
async function* presentEach(
  secrets: AsyncIterable<SecretInUse>,
): AsyncGenerator<z.output<typeof SecretBody>, void, void> {
  for await (const secret of secrets) yield present(secret);
}

/** The documented representations of secrets. */
export const documentedSecrets: SecretPresenters = {
  one: presenter(SecretBody, present),
  list: presenter(SecretList, presentEach),
};
