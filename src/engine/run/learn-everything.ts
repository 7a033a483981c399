import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/**
 * Finds the secrets of everything that an error message may contain; call before reporting it.
 * Recorded runs know them already; others do it only on failure, since most runs succeed.
 */
export async function learnEverything(context: RunContext, trace: StepTrace | null): Promise<void> {
  if (context.segments !== null) return;
  const { learn } = context.secrets;
  if (trace?.request) learn.request(trace.request, trace.sent);
  if (trace?.response) learn.response(trace.response, trace.body);
  if (context.hasLearned) return;
  context.hasLearned = true;
  for (const { request, headers, body } of context.answers.all()) {
    await context.breather.breathe();
    learn.headers(headers);
    learn.tree([request, body]);
  }
}
