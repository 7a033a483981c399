import { workflowOfLog } from '../run-log.rules';
import type { LogElement } from './log-element';

/**
 * The way from an error of an element to its run, in terms of the workflow: what went wrong, in which step and try and turns of the loops around it, in
 * which workflow and run. Nothing of the inside of the service is told. Empty where there is no error.
 */
export function traceOf({ run, type, error, stepId, name, index, attempt, turns }: LogElement): string[] {
  if (error === null) return [];
  // Of a run, the step that ended it, where one did.
  const isRun = type === 'EXECUTION' || type === 'FLOWCHART';
  const step = isRun
    ? { called: run.error?.step ?? null, index: run.error?.index ?? null, attempt: run.error?.attempt ?? null, turns: run.error?.loopIndex ?? [] }
    : { called: name ?? stepId, index, attempt, turns };
  return [
    `${error.code}: ${error.message}`,
    ...(step.index === null ? [] : [`at step ${[step.called, `(${step.index})`].filter(Boolean).join(' ')}${step.attempt === null ? '' : `, try ${step.attempt}`}${step.turns.length > 0 ? `, turn ${step.turns.join(',')}` : ''}`]),
    `at workflow ${run.workflowTitle} (${workflowOfLog(run)})`,
    `at run ${run._id}`,
  ];
}
