import { replaceTexts } from '../../../engine';
import type {
  RecordedExchange,
  RequestSegment,
  ResponseSegment,
  RunEvent,
  StepFinished,
} from '../../../engine';
import { maskedJson, markOf, Redactor, RuleMask } from '../../../platform/redaction';
import type { MaskingRule } from '../../../platform/redaction';

type Hiding = Pick<RuleMask, 'text' | 'body'>;

/** Hides what rules select in copies of stored events, and the same values in all later texts. */
class RuledEvents {
  private readonly redactor = new Redactor();
  private readonly hiding: Hiding = {
    text: (text, isCut) => this.redactor.hide(this.rules.text(text, isCut), isCut),
    body: (body) => this.redactor.hide(this.rules.body(body), body.isCut),
  };

  /** @param values that rules selected in earlier events of the same copy */
  constructor(
    private readonly rules: RuleMask,
    values: readonly string[] = [],
  ) {
    for (const value of values) this.redactor.addRuled(value);
  }

  get values(): readonly string[] {
    return this.redactor.ruledValues;
  }

  hide(event: RunEvent): RunEvent {
    if (event.kind === 'StepFinished')
      for (const value of valuesIn(event, this.rules)) this.redactor.addRuled(value);
    return withoutRuled(event, this.hiding);
  }

  json(text: string): string {
    const hidden = this.rules.json(text);
    return this.redactor.isEmpty
      ? hidden
      : maskedJson(hidden, [], (one) => this.redactor.hide(one));
  }
}

function valuesIn({ request, response }: StepFinished, rules: RuleMask): string[] {
  const sides = [request, response].flatMap((side) => side ?? []);
  return [
    ...rules.valuesInText(request?.url ?? ''),
    ...sides.flatMap(({ header }) =>
      Object.entries(header)
        .flat()
        .flatMap((text) => rules.valuesInText(text)),
    ),
    ...sides.flatMap(({ header, payload }) => rules.valuesInBody(payload, contentTypeOf(header))),
  ];
}

/**
 * Returns an event with everything that the masking rules select hidden, before it is stored or
 * sent. Its secrets are already hidden.
 */
export function withoutRuled(event: RunEvent, rules: Hiding): RunEvent {
  const hidden = replaceTexts(event, (text) => rules.text(text));
  if (hidden.kind === 'StepFinished')
    return {
      ...hidden,
      ...(hidden.request && { request: requestOf(hidden.request, rules) }),
      ...(hidden.response && { response: responseOf(hidden.response, rules) }),
    };
  return hidden.kind === 'LoopIteration' && typeof hidden.value === 'string'
    ? { ...hidden, value: cutText(hidden.value, rules) }
    : hidden;
}

/** Hides what rules select in a recorded exchange. */
export const exchangeWithoutRuled = (
  { request, response }: RecordedExchange,
  rules: Hiding,
): RecordedExchange => ({
  request: requestOf(request, rules),
  ...(response && { response: responseOf(response, rules) }),
});

const requestOf = (request: RequestSegment, rules: Hiding): RequestSegment => ({
  ...request,
  url: cutText(request.url, rules),
  header: headers(request.header, rules),
  payload: payload(request.payload, request.header, rules),
});

const responseOf = (response: ResponseSegment, rules: Hiding): ResponseSegment => ({
  ...response,
  header: headers(response.header, rules),
  payload: payload(response.payload, response.header, rules),
});

/** If masked names are equal, the last one is kept. */
const headers = (header: Readonly<Record<string, string>>, rules: Hiding): Record<string, string> =>
  Object.fromEntries(
    Object.entries(header).map(([name, value]) => [rules.text(name), cutText(value, rules)]),
  );

const contentTypeOf = (header: Readonly<Record<string, string>>): string =>
  Object.entries(header).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

const payload = (text: string, header: Readonly<Record<string, string>>, rules: Hiding): string =>
  withoutMark(text, (shown, isCut) =>
    rules.body({ text: shown, contentType: contentTypeOf(header), isCut }),
  );

const cutText = (text: string, rules: Hiding): string =>
  withoutMark(text, (shown, isCut) => rules.text(shown, isCut));

/** Keeps the mark of a cut text, whatever is hidden in it. */
function withoutMark(text: string, hide: (shown: string, isCut: boolean) => string): string {
  const mark = markOf(text);
  return mark === '' ? hide(text, false) : hide(text.slice(0, -mark.length), true) + mark;
}

/** Texts to mask: events of runs as JSON, or other JSON. */
export interface MaskInput {
  readonly rules: readonly MaskingRule[];
  readonly kind: 'events' | 'json';
  readonly texts: readonly string[];
  /** Values that rules selected in earlier texts. */
  readonly knownValues: readonly string[];
}

interface MaskedTexts {
  readonly texts: readonly string[];
  readonly knownValues: readonly string[];
}

/** Compiled rules of the last input: the texts of one log arrive in consecutive blocks. */
let last: { readonly rules: string; readonly mask: RuleMask } | null = null;

function maskOf(rules: readonly MaskingRule[]): RuleMask {
  const text = JSON.stringify(rules);
  if (last?.rules !== text) last = { rules: text, mask: new RuleMask(rules) };
  return last.mask;
}

/** Masks the texts, in order. A hundred rules may need seconds for one text. */
async function maskTexts({ rules, kind, texts, knownValues }: MaskInput): Promise<MaskedTexts> {
  const ruled = new RuledEvents(maskOf(rules), knownValues);
  const masked = texts.map((text) =>
    kind === 'json' ? ruled.json(text) : JSON.stringify(ruled.hide(JSON.parse(text) as RunEvent)),
  );
  return { texts: masked, knownValues: ruled.values };
}

/** Tasks that mask copies of logs; too slow for the process of the service. */
export const maskTasks = { maskTexts };

export type MaskTasks = typeof maskTasks;
