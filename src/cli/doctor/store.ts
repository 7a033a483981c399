import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lookInto } from '../../embedded-mongo/inspect';
import type { Look } from '../../embedded-mongo/inspect';
import { findingsAbout, inBytes } from './finding';
import type { Finding } from './finding';
import { expectedIndexes, indexFindings, migrationFindings } from './stored';

const { well, odd, wrong } = findingsAbout('store');

export interface StoreExamined {
  readonly findings: readonly Finding[];
  /** Process id of the service that holds the store, if any. */
  readonly servicePid?: number;
}

/**
 * Checks an embedded store, in use or not: whether it is readable, which process holds it, and its
 * contents.
 */
export async function embeddedStoreFindings(dir: string): Promise<StoreExamined> {
  if (!existsSync(join(dir, 'data.mdb')))
    return { findings: [well('There is no data yet; the first start makes it.')] };
  const expected = await expectedIndexes();
  try {
    return await lookInto(dir, (look) => ({
      findings: [
        well(
          `${inBytes(look.fileBytes)}, of which ${inBytes(look.usedBytes)} are in use; ${look.collections.reduce((sum, { documents }) => sum + documents, 0)} documents in ${look.collections.length} collections; format ${look.format ?? 'of an empty store'}`,
        ),
        ...ownerFindings(look),
        ...readerFindings(look),
        ...migrationFindings(
          [...look.documents('migrations', ['_id', 'name'])].map(({ _id, name }) => ({
            _id: Number(_id),
            name: String(name),
          })),
        ),
        ...indexFindings(
          expected,
          new Map(look.collections.map(({ name, indexes }) => [name, indexes])),
        ),
      ],
      servicePid: look.owner?.state === 'alive' && !look.owner.brief ? look.owner.pid : undefined,
    }));
  } catch (error) {
    return {
      findings: [
        wrong(
          `The store cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ],
    };
  }
}

function ownerFindings({ owner }: Look): Finding[] {
  if (owner === undefined) return [well('No process holds it.')];
  if (owner.isCopy)
    return [
      odd(
        'It is a copy of a directory that was in use, and may be torn: the next start reads all of it first. Make copies with `hypha backup`.',
      ),
    ];
  const { pid, since, state, brief } = owner;
  if (state === 'dead')
    return [
      odd(
        `Pid ${pid}, which held it, was killed; nothing is lost, and the next start takes it over.`,
      ),
    ];
  if (state === 'unknown')
    return [
      odd(`Pid ${pid} of another container or machine holds it since ${since.toISOString()}.`),
    ];
  return [
    well(
      `${brief ? 'A command' : 'The service'} (pid ${pid}) holds it since ${since.toISOString()}.`,
    ),
  ];
}

function readerFindings({ readers }: Look): Finding[] {
  const dead = [...new Set(readers)].filter((pid) => !existsSync(`/proc/${pid}`));
  return dead.length === 0 || process.platform !== 'linux'
    ? []
    : [
        odd(
          `Killed readers (pid ${dead.join(', ')}) are still noted in it; the service forgets them when it writes.`,
        ),
      ];
}
