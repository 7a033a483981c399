import type { WorkflowWithDocument } from './workflow-reading';

/**
 * The REST form of a workflow (spec 2.8): the document as it was saved, with its ids. `nodeId` is the id of the newest version
 * snapshot: clients take it from the answer of a save to comment that version.
 */
export function presentWorkflow({ record, document }: WorkflowWithDocument): object {
  return { connectionId: record._id, nodeId: record.content.id, ...document };
}

/** A list, written while it is read. */
export async function* presentWorkflows(workflows: AsyncIterable<WorkflowWithDocument>): AsyncGenerator<object, void, void> {
  for await (const workflow of workflows) yield presentWorkflow(workflow);
}
