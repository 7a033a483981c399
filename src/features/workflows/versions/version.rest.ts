import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter, Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Audience } from '../../../platform/http/dialects/released-client';
import type { Route } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { AnswerId, IdParams } from '../../../platform/http/scalars';
import { ConnectionAnswer, ReleasedConnectionAnswer } from '../document/connection.schema';
import { withoutNotes } from '../document/two-containers';
import type { ReleasedDocuments } from '../released-documents.service';
import { workflowPolicy } from '../workflow.policy';
import type { ListedVersion, VersionService, VersionWithDocument } from './version.service';

interface WorkflowVersionPresenters {
  readonly one: Presenter<[ListedVersion]>;
  readonly list: Presenter<[AsyncIterable<ListedVersion>]>;
  readonly document: Presenter<[VersionWithDocument, Audience, ReleasedDocuments]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowVersions: WorkflowVersionPresenters;
  }
}

const VersionAnswer = z
  .object({
    snapshotId: z.string().meta({ description: 'The `nodeId` that the save returned.' }),
    connectionId: AnswerId,
    createdAt: z.int().meta({ description: 'Time of the save, milliseconds since 1970.' }),
    author: z.string().meta({ description: 'E-mail address of the user who saved it.' }),
    comment: z.string().nullable(),
    current: z.boolean().meta({ description: 'True if it is the current version.' }),
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
  ...withoutNotes(document),
});

export const documentedVersions: WorkflowVersionPresenters = {
  one: presenter(VersionAnswer, presentVersion),
  list: presenter(z.array(VersionAnswer), presentVersions),
  document: presenter(ConnectionAnswer, presentDocument),
};

export const releasedVersions: WorkflowVersionPresenters = {
  ...documentedVersions,
  document: presenter(
    ReleasedConnectionAnswer,
    async (
      { version, document }: VersionWithDocument,
      { client }: Audience,
      documents: ReleasedDocuments,
    ): Promise<object> => ({
      connectionId: version.workflowId,
      nodeId: version._id,
      ...(await documents.present(document, client())),
    }),
  ),
};

const route = routesTagged('Workflow versions');

const VersionParams = IdParams.extend({ snapshotId: z.string() });
const NOT_FOUND = ['CONNECTION_NOT_FOUND', 'VERSION_NOT_FOUND'] as const;
const VersionComment = z
  .object({ comment: z.string().nullable().meta({ description: 'At most 500 characters.' }) })
  .meta({ id: 'ConnectionVersionComment' });

const versionRouteContext = (
  {
    workflowVersions,
    releasedDocuments,
  }: { workflowVersions: VersionService; releasedDocuments: ReleasedDocuments },
  { workflows: shownWorkflows, workflowVersions: shown }: Presenters,
) => ({ shown, workflowVersions, releasedDocuments, shownWorkflows });
type VersionRouteContext = ReturnType<typeof versionRouteContext>;

const getConnectionVersions = ({ shown, workflowVersions }: VersionRouteContext): Route =>
  route('GET /connection/:id/versions', {
    needs: workflowPolicy.read,
    summary: 'Lists the versions of a workflow, newest first',
    params: IdParams,
    answer: shown.list.answer,
    errors: ['CONNECTION_NOT_FOUND'],
    handle: async ({ params }) => shown.list(await workflowVersions.list(params.id)),
  });

const getConnectionVersionBySnapshotId = ({
  shown,
  workflowVersions,
  releasedDocuments,
}: VersionRouteContext): Route =>
  route('GET /connection/:id/version/:snapshotId', {
    needs: workflowPolicy.read,
    summary: 'Returns a version of a workflow',
    params: VersionParams,
    answer: shown.document.answer,
    errors: NOT_FOUND,
    handle: async ({ actor, params, audience }) =>
      shown.document(
        await workflowVersions.getWithDocument(actor, params.id, params.snapshotId),
        audience,
        releasedDocuments,
      ),
  });

const putConnectionVersionBySnapshotId = ({
  shown,
  workflowVersions,
}: VersionRouteContext): Route =>
  route('PUT /connection/:id/version/:snapshotId', {
    needs: workflowPolicy.update,
    summary: 'Changes the comment of a version',
    params: VersionParams,
    body: VersionComment,
    example: { body: { comment: 'Before the migration' } },
    answer: shown.one.answer,
    errors: NOT_FOUND,
    handle: async ({ actor, params, body }) =>
      shown.one(await workflowVersions.comment(actor, params.id, params.snapshotId, body.comment)),
  });

const deleteConnectionVersionBySnapshotId = ({ workflowVersions }: VersionRouteContext): Route =>
  route('DELETE /connection/:id/version/:snapshotId', {
    needs: workflowPolicy.delete,
    success: 204,
    summary: 'Deletes a version that is neither the current one nor executed by a run',
    params: VersionParams,
    errors: [...NOT_FOUND, 'VERSION_IN_USE'],
    handle: async ({ actor, params }) =>
      void (await workflowVersions.remove(actor, params.id, params.snapshotId)),
  });

const putConnectionSwitchVersionBySnapshotId = ({
  shownWorkflows,
  workflowVersions,
  releasedDocuments,
}: VersionRouteContext): Route =>
  route('PUT /connection/:id/switch-version/:snapshotId', {
    needs: workflowPolicy.update,
    summary: 'Makes an earlier version the current one',
    params: VersionParams,
    description:
      'Creates no version. The workflow gets the content of that version, its `version` number increases, and the version that was current is kept.',
    answer: shownWorkflows.one.answer,
    errors: [...NOT_FOUND, 'TITLE_HAS_ALREADY_TAKEN'],
    record: 'changed',
    handle: async ({ actor, params, expectedVersion, audience }) => {
      const switched = await workflowVersions.switchTo(
        actor,
        params.id,
        params.snapshotId,
        expectedVersion,
      );
      return recordReply(
        await shownWorkflows.one(switched, audience, releasedDocuments),
        switched.record,
      );
    },
  });

export const versionRoutes = (
  services: { workflowVersions: VersionService; releasedDocuments: ReleasedDocuments },
  presenters: Presenters,
): Route[] => {
  const context = versionRouteContext(services, presenters);
  return [
    getConnectionVersions,
    getConnectionVersionBySnapshotId,
    putConnectionVersionBySnapshotId,
    deleteConnectionVersionBySnapshotId,
    putConnectionSwitchVersionBySnapshotId,
  ].map((create) => create(context));
};
