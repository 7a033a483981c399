import { randomUUID } from 'node:crypto';
import { systemUser } from './operate';
import { isInUse } from './running-service';
import { withDomain } from './with-domain';
import type { CommandPlacement } from './with-domain';
import type { Config } from '../config/config';
import type { ImportRequest, ImportResult } from '../features/moving/import.service';
import type { ReleasedImportRequest } from '../features/import-released/released-import.service';
import type { ReleasedImportResult } from '../features/import-released/report';
import { commandActor } from '../platform/access/actor';
import type { Actor } from '../platform/access/actor';
import { ACTIONS, COMPONENTS } from '../platform/access/catalogue';

/**
 * Imports the data of a released installation in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export const importReleasedHere = (
  config: Config,
  request: Omit<ReleasedImportRequest, 'prepare'>,
  embedded?: CommandPlacement,
): Promise<ReleasedImportResult> => {
  const actor = importingActor();
  return stopped('import-released', () =>
    withDomain(
      config,
      (domain) =>
        domain.services.releasedImport.run(actor, {
          ...request,
          prepare: () => domain.prepareImported(),
        }),
      embedded,
    ),
  );
};

const importingActor = (): Actor => ({
  ...commandActor(systemUser(), randomUUID()),
  grants: new Set(COMPONENTS.flatMap(({ name }) => ACTIONS.map((action) => `${name}:${action}`))),
});

/** Explains that another process holds the data directory. */
async function stopped<R>(command: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new Error(`${error.message.split(';')[0]}. Stop it before \`hypha ${command}\`.`, {
      cause: error,
    });
  }
}

/**
 * Imports an archive in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export const importHere = (
  config: Config,
  request: Omit<ImportRequest, 'prepare'>,
  embedded?: CommandPlacement,
): Promise<ImportResult> => {
  const actor = commandActor(systemUser(), randomUUID());
  return stopped('import', () =>
    withDomain(
      config,
      (domain) =>
        domain.services.importing.import(actor, {
          ...request,
          prepare: () => domain.prepareImported(),
        }),
      embedded,
    ),
  );
};
