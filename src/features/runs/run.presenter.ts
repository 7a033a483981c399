import type { WorkflowDocument } from '../workflows/workflow.document';
import type { RunRecord } from './run.model';

/**
 * The answer to a test start: what it can already say of the released Schedule object (spec 2.9), with the id of the
 * run. The schedule itself has no id yet.
 */
export function presentTestStart(run: RunRecord, { fromConnector, fieldBinding, description }: WorkflowDocument): object {
  const { methods: _methods, operators: _operators, ...container } = fromConnector;
  return {
    runId: run._id,
    connectionId: run.workflowId,
    title: run.workflowTitle.replace('!*test_connection_', '!*test_schedule_'),
    status: true,
    debugMode: true,
    cronExp: '',
    connection: { connectionId: run.workflowId, title: run.workflowTitle, description: description ?? null, fromConnector: container, toConnector: null, fieldBinding },
    lastExecution: null,
    webhook: null,
    notification: [],
  };
}
