/** Bus topic: a `WorkflowChanged`, after the change was committed. */
export const WORKFLOW_TOPIC = 'workflow.changed';

export interface WorkflowChanged {
  readonly workflowId: number;
  readonly change: 'created' | 'updated' | 'deleted';
}
