import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { ConnectionAnswer } from './connection.schema';
import type { WorkflowWithDocument } from './workflow-reading';

export interface WorkflowPresenters {
  readonly one: Presenter<[WorkflowWithDocument]>;
  readonly list: Presenter<[AsyncIterable<WorkflowWithDocument>]>;
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
function presentWorkflow({ record, document }: WorkflowWithDocument): object {
  return { connectionId: record._id, nodeId: record.snapshotId, ...document };
}

/** Streams a list. */
async function* presentWorkflows(
  workflows: AsyncIterable<WorkflowWithDocument>,
): AsyncGenerator<object, void, void> {
  for await (const workflow of workflows) yield presentWorkflow(workflow);
}

export const documentedWorkflows: WorkflowPresenters = {
  one: presenter(ConnectionAnswer, presentWorkflow),
  list: presenter(z.array(ConnectionAnswer), presentWorkflows),
};
