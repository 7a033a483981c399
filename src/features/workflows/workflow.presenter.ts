import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { ConnectionAnswer } from './connection.schema';
import type { WorkflowWithDocument } from './workflow-reading';

/** Workflows as REST shows them. */
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
 * The REST form of a workflow (spec 2.8): the document as it was saved, with its ids. `nodeId` is the id of the version snapshot
 * it is now: clients take it from the answer of a save to comment that version.
 */
function presentWorkflow({ record, document }: WorkflowWithDocument): object {
  return { connectionId: record._id, nodeId: record.snapshotId, ...document };
}

/** A list, written while it is read. */
async function* presentWorkflows(
  workflows: AsyncIterable<WorkflowWithDocument>,
): AsyncGenerator<object, void, void> {
  for await (const workflow of workflows) yield presentWorkflow(workflow);
}

/** The documented shapes of workflows. */
export const documentedWorkflows: WorkflowPresenters = {
  one: presenter(ConnectionAnswer, presentWorkflow),
  list: presenter(z.array(ConnectionAnswer), presentWorkflows),
};
