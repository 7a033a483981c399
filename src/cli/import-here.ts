import { randomUUID } from 'node:crypto';
import { systemUser } from './operate';
import { isInUse } from '../platform/control/running-service';
import { withDomain } from './with-domain';
import type { CommandPlacement } from './with-domain';
import type { Config } from '../config/config';
import type { ImportRequest, ImportResult } from '../features/moving/import.service';
import type { ReleasedImportRequest } from '../features/import-released/released-import.service';
import type { ReleasedImportResult } from '../features/import-released/report';
import { commandActor } from '../platform/access/actor';
import type { Actor } from '../platform/access/actor';
import { ACTIONS, COMPONENTS } from '../platform/access/catalogue';
import type { Services } from '../platform/context';

/**
 * Imports the data of a released installation in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export const importReleasedHere = (
  config: Config,
  request: Omit<ReleasedImportRequest, 'prepare'>,
  embedded?: CommandPlacement,
): Promise<ReleasedImportResult> =>
  inStoppedService('import-released', config, embedded, ({ releasedImport }, prepare) =>
    releasedImport.run(importingActor(), { ...request, prepare }),
  );

/**
 * Imports an archive in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export const importHere = (
  config: Config,
  request: Omit<ImportRequest, 'prepare'>,
  embedded?: CommandPlacement,
): Promise<ImportResult> =>
  inStoppedService('import', config, embedded, ({ importing }, prepare) =>
    importing.import(operator(), { ...request, prepare }),
  );

const operator = (): Actor => commandActor(systemUser(), randomUUID());

/** Services check the rights of the actor for each record. */
const importingActor = (): Actor => ({
  ...operator(),
  grants: new Set(COMPONENTS.flatMap(({ name }) => ACTIONS.map((action) => `${name}:${action}`))),
});

/** Explains that another process holds the data directory. */
async function inStoppedService<R>(
  command: string,
  config: Config,
  embedded: CommandPlacement | undefined,
  run: (services: Services, prepare: () => Promise<void>) => Promise<R>,
): Promise<R> {
  try {
    return await withDomain(
      config,
      (domain) => run(domain.services, () => domain.prepareImported()),
      embedded,
    );
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new Error(`${error.message.split(';')[0]}. Stop it before \`hypha ${command}\`.`, {
      cause: error,
    });
  }
}
