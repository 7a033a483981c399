import { randomUUID } from 'node:crypto';
import { systemUser } from './operate';
import { isInUse } from './running-service';
import { withDomain } from './with-domain';
import type { CommandPlacement } from './with-domain';
import type { Config } from '../config/config';
import type { ImportRequest, ImportResult } from '../features/moving/import.service';
import { commandActor } from '../platform/access/actor';

/**
 * Imports an archive in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export async function importHere(
  config: Config,
  request: Omit<ImportRequest, 'prepare'>,
  embedded?: CommandPlacement,
): Promise<ImportResult> {
  const actor = commandActor(systemUser(), randomUUID());
  try {
    return await withDomain(
      config,
      (domain) =>
        domain.services.importing.import(actor, {
          ...request,
          prepare: () => domain.prepareImported(),
        }),
      embedded,
    );
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new Error(`${error.message.split(';')[0]}. Stop it before \`hypha import\`.`, {
      cause: error,
    });
  }
}
