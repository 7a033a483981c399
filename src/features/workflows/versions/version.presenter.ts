import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId } from '../../../platform/http/scalars';
import { ConnectionAnswer } from '../connection.schema';
import type { ListedVersion, VersionWithDocument } from './version-history';

export interface WorkflowVersionPresenters {
  readonly one: Presenter<[ListedVersion]>;
  readonly list: Presenter<[AsyncIterable<ListedVersion>]>;
  readonly document: Presenter<[VersionWithDocument]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowVersions: WorkflowVersionPresenters;
  }
}

const VersionAnswer = z
  .object({
    snapshotId: z.string().meta({ description: 'What `nodeId` was in the answer to the save.' }),
    connectionId: AnswerId,
    createdAt: z.int().meta({ description: 'When it was saved: milliseconds since 1970.' }),
    author: z.string().meta({ description: 'E-mail address of who saved it.' }),
    comment: z.string().nullable(),
    current: z.boolean().meta({ description: 'Is the workflow in this version now?' }),
  })
  .meta({ id: 'ConnectionVersion' });

const presentVersion = ({ version, current }: ListedVersion): z.output<typeof VersionAnswer> => ({
  snapshotId: version._id,
  connectionId: version.workflowId,
  createdAt: version.createdAt.getTime(),
  author: version.author.email,
  comment: version.comment,
  current,
});

async function* presentVersions(
  versions: AsyncIterable<ListedVersion>,
): AsyncGenerator<z.output<typeof VersionAnswer>, void, void> {
  for await (const version of versions) yield presentVersion(version);
}

/** The document of a version, in the shape of a workflow. */
const presentDocument = ({ version, document }: VersionWithDocument): object => ({
  connectionId: version.workflowId,
  nodeId: version._id,
  ...document,
});

export const documentedVersions: WorkflowVersionPresenters = {
  one: presenter(VersionAnswer, presentVersion),
  list: presenter(z.array(VersionAnswer), presentVersions),
  document: presenter(ConnectionAnswer, presentDocument),
};
