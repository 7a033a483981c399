import type { RequestSegment, ResponseSegment, RunEvent } from '../../../engine';
import type { RuleMask } from '../../../platform/masking/rule-mask';
import { markOf } from '../../../platform/secrets';

/** An event of a recorded run with what the rules of the workflow select in it hidden, so that nothing of it is stored or sent. Its secrets are hidden already. */
export function withoutRuled(event: RunEvent, rules: RuleMask): RunEvent {
  const hidden = (text: string | null): string | null => text && rules.text(text);
  switch (event.kind) {
    case 'StepStarted':
      return { ...event, name: hidden(event.name), label: hidden(event.label), connector: event.connector && { ...event.connector, title: rules.text(event.connector.title) } };
    case 'StepFinished':
      return {
        ...event, name: hidden(event.name), error: event.error && { ...event.error, message: rules.text(event.error.message) },
        ...(event.request && { request: requestOf(event.request, rules) }), ...(event.response && { response: responseOf(event.response, rules) }),
      };
    case 'ConditionEvaluated': return { ...event, expression: rules.text(event.expression) };
    case 'OperatorFailed': return { ...event, expression: rules.text(event.expression), error: { ...event.error, message: rules.text(event.error.message) } };
    case 'LoopIteration': return typeof event.value === 'string' ? { ...event, value: cutText(event.value, rules) } : event;
    case 'RunLog': return { ...event, message: rules.text(event.message) };
    case 'RunFinished': return { ...event, error: event.error && { ...event.error, message: rules.text(event.error.message) } };
    default: return event;
  }
}

const requestOf = (request: RequestSegment, rules: RuleMask): RequestSegment =>
  ({ ...request, url: cutText(request.url, rules), header: headers(request.header, rules), payload: payload(request.payload, request.header, rules) });

const responseOf = (response: ResponseSegment, rules: RuleMask): ResponseSegment =>
  ({ ...response, header: headers(response.header, rules), payload: payload(response.payload, response.header, rules) });

/** Of names that are the same then, the last is shown. */
const headers = (header: Readonly<Record<string, string>>, rules: RuleMask): Record<string, string> =>
  Object.fromEntries(Object.entries(header).map(([name, value]) => [rules.text(name), cutText(value, rules)]));

function payload(text: string, header: Readonly<Record<string, string>>, rules: RuleMask): string {
  const [, contentType = ''] = Object.entries(header).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return withoutMark(text, (shown, isCut) => rules.body({ text: shown, contentType, isCut }));
}

const cutText = (text: string, rules: RuleMask): string => withoutMark(text, (shown, isCut) => rules.text(shown, isCut));

/** That a text was cut is told, whatever is hidden in it. */
function withoutMark(text: string, hide: (shown: string, isCut: boolean) => string): string {
  const mark = markOf(text);
  return mark === '' ? hide(text, false) : hide(text.slice(0, -mark.length), true) + mark;
}
