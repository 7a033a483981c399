/** Bus topic of `WorkflowChanged`, published after the commit. */
export const WORKFLOW_TOPIC = 'workflow.changed';

export interface WorkflowChanged {
  readonly workflowId: number;
  readonly change: 'created' | 'updated' | 'deleted';
}
