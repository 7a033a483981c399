import type { Tracing } from '../../../platform/tracing/tracing';
import type { RunEngine, RunOutcome, RunSeat, RunTask, Supervision } from './run-engine';

/** Records a span for each run, with those of its steps and outgoing calls below it. */
export function tracedEngine(engine: RunEngine, tracing: Tracing): RunEngine {
  const execute = async (
    seat: RunSeat,
    task: RunTask,
    supervision: Supervision,
  ): Promise<RunOutcome> => {
    if (task.trace === undefined) return seat.execute(task, supervision);
    const { runId, workflowId, parent } = task.trace;
    const span = tracing.start('run', 'internal', parent, {
      'hypha.run.id': runId,
      'hypha.workflow.id': workflowId,
    });
    const { traceparent } = span;
    const outcome = await seat.execute(
      { ...task, trace: { ...task.trace, span: traceparent } },
      { ...supervision, spans: (spans) => tracing.record(traceparent, spans) },
    );
    const { state, steps, error } = outcome;
    span.set({ 'hypha.run.state': state, 'hypha.run.steps': steps });
    span.end(state === 'FAILED' ? (error?.code ?? state) : null);
    return outcome;
  };
  return {
    reserve: async (signal) => {
      const seat = await engine.reserve(signal);
      return {
        execute: (task, supervision) => execute(seat, task, supervision),
        release: () => seat.release(),
      };
    },
    startState: () => engine.startState(),
    waitingRuns: () => engine.waitingRuns(),
    warm: () => engine.warm(),
    close: () => engine.close(),
  };
}
