import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { withKnownClient } from '../../platform/http/dialects/released-client';
import type { Audience } from '../../platform/http/dialects/released-client';
import { ConnectionAnswer, ReleasedConnectionAnswer } from './document/connection.schema';
import { documentFor } from './document/released-document.presenter';
import type { WorkflowWithDocument } from './workflow-reader';

interface WorkflowPresenters {
  readonly one: Presenter<[WorkflowWithDocument, Audience]>;
  readonly list: Presenter<[AsyncIterable<WorkflowWithDocument>, Audience]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly workflows: WorkflowPresenters;
  }
}

/** Streams a list. */
const each = (present: (workflow: WorkflowWithDocument, audience: Audience) => object) =>
  async function* (
    workflows: AsyncIterable<WorkflowWithDocument>,
    audience: Audience,
  ): AsyncGenerator<object, void, void> {
    for await (const workflow of workflows) yield present(workflow, audience);
  };

/**
 * The REST shape of a workflow (spec 2.8): the stored document with its ids. `nodeId` is the
 * current snapshot id, which clients need to comment the version after a save.
 */
const present = ({ record, document }: WorkflowWithDocument): object => ({
  connectionId: record._id,
  nodeId: record.snapshotId,
  ...document,
});

export const documentedWorkflows: WorkflowPresenters = {
  one: presenter(ConnectionAnswer, present),
  list: presenter(z.array(ConnectionAnswer), each(present)),
};

/** The 4.x client reads `id` in lists. */
const presentReleased = (
  { record, document }: WorkflowWithDocument,
  { client }: Audience,
): object => ({
  id: record._id,
  connectionId: record._id,
  nodeId: record.snapshotId,
  ...documentFor(client(), document),
});

export const releasedWorkflows: WorkflowPresenters = {
  one: presenter(ReleasedConnectionAnswer, presentReleased),
  list: presenter(
    z.array(ReleasedConnectionAnswer),
    (workflows: AsyncIterable<WorkflowWithDocument>, audience: Audience) =>
      each(presentReleased)(workflows, withKnownClient(audience)),
  ),
};
