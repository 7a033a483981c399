import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { RunRecord } from './run.model';

/** Runs as REST shows them. */
export interface RunPresenters {
  readonly testStart: Presenter<[RunRecord, WorkflowDocument]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly runs: RunPresenters;
  }
}

const TestStartAnswer = z.object({
  runId: AnswerId,
  connectionId: AnswerId.meta({ description: 'The hidden workflow that exists while the run does.' }),
  title: z.string(),
  status: z.boolean(),
  debugMode: z.boolean(),
  cronExp: z.string(),
  connection: z.object({
    connectionId: AnswerId,
    title: z.string(),
    description: z.string().nullable(),
    fromConnector: z.looseObject({}),
    toConnector: z.null(),
    fieldBinding: z.array(z.looseObject({})),
  }),
  lastExecution: z.null(),
  webhook: z.null(),
  notification: z.array(z.unknown()),
}).meta({ id: 'TestStart' });

/**
 * The answer to a test start: what it can already say of the released Schedule object (spec 2.9), with the id of the
 * run. The schedule itself has no id yet.
 */
function presentTestStart(run: RunRecord, { fromConnector, fieldBinding, description }: WorkflowDocument) {
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

/** The documented shapes of runs. */
export const documentedRuns: RunPresenters = { testStart: presenter(TestStartAnswer, presentTestStart) };
