import type { Workflow } from './workflow.service';

/**
 * The REST form of a workflow (spec 2.8): the document as it was saved, with its ids. `nodeId` is the id of the newest version
 * snapshot: clients take it from the answer of a save to comment that version (released-lines A.5).
 */
export function presentWorkflow({ row, document }: Workflow): object {
  return { connectionId: row._id, nodeId: row.content.id, ...document };
}
