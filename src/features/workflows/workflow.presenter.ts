import { z } from 'zod';
import type { ErrorCode } from '../../platform/errors/codes';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { withKnownClient } from '../../platform/http/dialects/released-client';
import type { Audience } from '../../platform/http/dialects/released-client';
import { ConnectionAnswer, ReleasedConnectionAnswer } from './document/connection.schema';
import { withoutNotes } from './document/two-containers';
import type { WorkflowContent } from './document/workflow-content';
import type { ReleasedView } from './released-documents.service';
import type { WorkflowWithDocument } from './workflow-reader';

interface WorkflowPresenters {
  readonly one: Presenter<[WorkflowWithDocument, Audience, ReleasedView]>;
  readonly list: Presenter<[AsyncIterable<WorkflowWithDocument>, Audience, ReleasedView]>;
  /** What the body of a save means. */
  readonly content: (body: unknown, audience: Audience) => WorkflowContent;
  /** Error codes of a save that only this dialect has. */
  readonly saveErrors: readonly ErrorCode[];
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly workflows: WorkflowPresenters;
  }
}

/**
 * The REST shape of a workflow (spec 2.8): the stored document with its ids. `nodeId` is the
 * current snapshot id, which clients need to comment the version after a save.
 */
const present = ({ record, document }: WorkflowWithDocument): object => ({
  connectionId: record._id,
  nodeId: record.snapshotId,
  ...withoutNotes(document),
});

/** Streams a list. */
async function* presentAll(
  workflows: AsyncIterable<WorkflowWithDocument>,
): AsyncGenerator<object, void, void> {
  for await (const workflow of workflows) yield present(workflow);
}

export const documentedWorkflows: WorkflowPresenters = {
  one: presenter(ConnectionAnswer, present),
  list: presenter(z.array(ConnectionAnswer), presentAll),
  content: (body) => ({ document: body }),
  saveErrors: [],
};

/** The 4.x client reads `id` in lists. */
const presentReleased = async (
  { record, document }: WorkflowWithDocument,
  { client }: Audience,
  documents: ReleasedView,
): Promise<object> => ({
  id: record._id,
  connectionId: record._id,
  nodeId: record.snapshotId,
  ...(await documents.present(document, client())),
});

async function* presentAllReleased(
  workflows: AsyncIterable<WorkflowWithDocument>,
  audience: Audience,
  documents: ReleasedView,
): AsyncGenerator<object, void, void> {
  for await (const workflow of workflows)
    yield await presentReleased(workflow, audience, documents);
}

export const releasedWorkflows: WorkflowPresenters = {
  one: presenter(ReleasedConnectionAnswer, presentReleased),
  list: presenter(
    z.array(ReleasedConnectionAnswer),
    (workflows: AsyncIterable<WorkflowWithDocument>, audience: Audience, documents: ReleasedView) =>
      presentAllReleased(workflows, withKnownClient(audience), documents),
  ),
  content: (body, { client }) => ({
    document: body,
    isReleased: true,
    isTwoContainers: client() === '4.x',
  }),
  saveErrors: ['WORKFLOW_NEEDS_5X_CLIENT'],
};
