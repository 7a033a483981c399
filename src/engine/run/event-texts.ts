import type { RunEvent, StepError } from '../events';

type Replace = (text: string) => string;

/** Returns an event with its texts replaced, except those of requests, responses and loop values. */
export function replaceTexts(event: RunEvent, replace: Replace): RunEvent {
  const replaced = (text: string | null): string | null => text && replace(text);
  switch (event.kind) {
    case 'StepStarted':
      return {
        ...event,
        name: replaced(event.name),
        label: replaced(event.label),
        connector: event.connector && {
          ...event.connector,
          title: replace(event.connector.title),
        },
      };
    case 'StepFinished':
      return {
        ...event,
        name: replaced(event.name),
        error: event.error && replaceInError(event.error, replace),
      };
    case 'RunFinished':
      return { ...event, error: event.error && replaceInError(event.error, replace) };
    case 'ConditionEvaluated':
      return { ...event, expression: replace(event.expression) };
    case 'LoopStarted':
      return event.expression === undefined
        ? event
        : { ...event, expression: replace(event.expression) };
    case 'OperatorFailed':
      return {
        ...event,
        expression: replace(event.expression),
        error: replaceInError(event.error, replace),
      };
    case 'RunLog':
      return {
        ...event,
        message: replace(event.message),
        ...(event.path !== undefined && { path: replace(event.path) }),
        ...(event.keys && { keys: event.keys.map(replace) }),
      };
    default:
      return event;
  }
}

export const replaceInError = <Failure extends StepError & { readonly name?: string }>(
  error: Failure,
  replace: Replace,
): Failure => ({
  ...error,
  ...(error.name !== undefined && { name: replace(error.name) }),
  message: replace(error.message),
});
