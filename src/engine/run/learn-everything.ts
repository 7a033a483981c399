import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/**
 * Before an error is told: learns the secrets of everything its message could have come from. A recorded run knows them already; for
 * others it is done only now, since most runs end well.
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
