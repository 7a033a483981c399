import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { WorkflowDocument } from '../workflows/workflow.document';
import { RUN_ERROR_CODES } from './run-error-codes';
import type { RunErrorCode } from './run-error-codes';
import { RUN_TRIGGERS } from './run-triggers';
import type { RunTriggerName } from './run-triggers';
import { RUN_STATES } from './run.events';
import type { RunRecord } from './run.model';

/** Runs as REST shows them. */
export interface RunPresenters {
  readonly execution: Presenter<[RunRecord]>;
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

const ExecutionError = z.object({
  stepId: z.string().nullable().meta({ description: 'Id of the step it happened in; null when the run failed as a whole.' }),
  index: z.string().nullable(),
  attempt: z.int().min(1),
  code: z.enum(Object.keys(RUN_ERROR_CODES) as [RunErrorCode, ...RunErrorCode[]]),
  message: z.string(),
}).meta({ id: 'ExecutionError' });

const Moment = z.int().meta({ description: 'Milliseconds since 1970.' });

const ExecutionAnswer = z.object({
  executionId: AnswerId,
  connectionId: AnswerId,
  title: z.string().meta({ description: 'Of the workflow, when the run was asked for.' }),
  state: z.enum(RUN_STATES),
  trigger: z.enum(Object.keys(RUN_TRIGGERS) as [RunTriggerName, ...RunTriggerName[]]).meta({ description: 'What started it.' }),
  logging: z.boolean().meta({ description: 'Do its events carry requests and responses?' }),
  startedBy: z.object({ userId: AnswerId, email: z.string() }).nullable().meta({ description: 'Who asked for it; null when nobody did.' }),
  queuedTime: Moment,
  startTime: Moment.nullable(),
  endTime: Moment.nullable(),
  duration: z.number().nullable().meta({ description: 'Milliseconds; known at the end.' }),
  steps: z.int().nullable().meta({ description: 'Methods that were executed, each turn of a loop counted; known at the end.' }),
  error: ExecutionError.nullable(),
}).meta({ id: 'Execution' });

function presentExecution(run: RunRecord): z.input<typeof ExecutionAnswer> {
  const { state, trigger, logging, startedBy, durationMs, steps, error } = run;
  return {
    executionId: run._id, connectionId: run.workflowId, title: run.workflowTitle, state, trigger, logging, startedBy,
    queuedTime: run.queuedAt.getTime(), startTime: run.startedAt?.getTime() ?? null, endTime: run.finishedAt?.getTime() ?? null, duration: durationMs, steps,
    error: error && { stepId: error.step, index: error.index, attempt: error.attempt, code: error.code as RunErrorCode, message: error.message },
  };
}

/** The documented shapes of runs. */
export const documentedRuns: RunPresenters = { execution: presenter(ExecutionAnswer, presentExecution), testStart: presenter(TestStartAnswer, presentTestStart) };
