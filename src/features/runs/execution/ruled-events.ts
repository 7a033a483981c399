import type { RequestSegment, ResponseSegment, RunEvent } from '../../../engine';
import type { RuleMask } from '../../../platform/masking/rule-mask';

/** What stands at the end of a text that was cut. */
const CUT = /… \(cut, \d+ in all\)$/;
/** Headers are cut without a mark. */
const LONGEST_HEADER = 8_000;

/** An event of a recorded run with what the rules of the workflow select in it hidden, so that nothing of it is stored or sent. Its secrets are hidden already. */
export function withoutRuled(event: RunEvent, rules: RuleMask): RunEvent {
  const hidden = (text: string | null): string | null => text && rules.text(text, CUT.test(text));
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
    case 'LoopIteration': return typeof event.value === 'string' ? { ...event, value: rules.text(event.value, CUT.test(event.value)) } : event;
    case 'RunLog': return { ...event, message: rules.text(event.message) };
    case 'RunFinished': return { ...event, error: event.error && { ...event.error, message: rules.text(event.error.message) } };
    default: return event;
  }
}

const requestOf = (request: RequestSegment, rules: RuleMask): RequestSegment =>
  ({ ...request, url: rules.text(request.url, CUT.test(request.url)), header: headers(request.header, rules), payload: payload(request.payload, request.header, rules) });

const responseOf = (response: ResponseSegment, rules: RuleMask): ResponseSegment =>
  ({ ...response, header: headers(response.header, rules), payload: payload(response.payload, response.header, rules) });

/** Of names that are the same then, the last is shown. */
const headers = (header: Readonly<Record<string, string>>, rules: RuleMask): Record<string, string> =>
  Object.fromEntries(Object.entries(header).map(([name, value]) => [rules.text(name), rules.text(value, value.length >= LONGEST_HEADER)]));

function payload(text: string, header: Readonly<Record<string, string>>, rules: RuleMask): string {
  const [, contentType = ''] = Object.entries(header).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return rules.body({ text, contentType, isCut: CUT.test(text) });
}
