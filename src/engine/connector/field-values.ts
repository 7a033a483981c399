import { EngineError } from '../errors';
import type { InvokerFacts, RequiredField } from './invoker-facts';
import { ValueNotComputed } from './remote-answer';
import type { RemoteAnswer } from './remote-answer';
import type { Value } from '../value';
import { partsOf, textAt, valueAt } from './answer-path';
import { printExactJson } from '../exact-json';
import { readXml } from '../../platform/xml/read-xml';

/**
 * Returns a field of a response: `x.y[0].z`, optionally with `$.`; for XML, element names starting
 * at the root or below it. Without a path, returns the body without quotes. Undefined if missing.
 */
async function fieldOfAnswer(
  answer: RemoteAnswer,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined)
    return typeof answer.json?.value === 'string' ? answer.json.value : answer.text.trim();
  const parts = partsOf(path);
  if (answer.isXml) {
    const root = await readXml(answer.text).catch(() => undefined);
    return root && textAt(root, parts);
  }
  return answer.json === null ? undefined : asText(valueAt(answer.json.value as Value, parts));
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : printExactJson(value);
}

/** Runs an operation; `chain` lists the fields that wait for it, to detect cycles. */
type RunOperation = (name: string, chain: readonly string[]) => Promise<RemoteAnswer>;

/** Basic auth pair; not preceded by `%`, since a response path may contain an XML prefix. */
const BASIC = /(?<!%)\{([^{}%:]+):([^{}%:]+)\}/;
const ANSWER = /%\{([^{}]*)\}/g;
/** `op.body.x`, `op.header.X`, `body.x`, `header.X`. */
const PLACE = /^(?:(.+?)\.)?(body|header)(?:\.(.+))?$/s;
const OTHER = /\{[^{}]*\}/;

/** Operation of expressions that name none. */
const TEST = 'test';

/**
 * Only the default of an invoker may be an expression, and only if no other value is configured.
 */
const isDefault = (
  { name, value }: RequiredField,
  entered: Readonly<Record<string, string>>,
): boolean => !Object.hasOwn(entered, name) || entered[name] === value;

/** Returns the fields and operations that a field is computed from. */
export function sourcesOfField(
  field: RequiredField,
  entered: Readonly<Record<string, string>>,
): { readonly fields: readonly string[]; readonly operations: readonly string[] } {
  if (!isDefault(field, entered)) return { fields: [], operations: [] };
  const basic = BASIC.exec(field.value);
  if (basic) return { fields: basic.slice(1), operations: [] };
  return {
    fields: [],
    operations: [...field.value.matchAll(ANSWER)].map(([, place]) => placeOf(place)[0]),
  };
}

/** Splits a response expression into operation, `body` or `header`, and path. */
function placeOf(
  place: string,
): readonly [operation: string, part: string | undefined, path: string | undefined] {
  const [, operation = TEST, part, path] = PLACE.exec(place.trim()) ?? [];
  return [operation, part, path];
}

/**
 * Field values for requests: the configured value, or the default of the invoker, which may be an
 * expression (docs/connectors.md, "Values in requests"). Configured values are never evaluated.
 * Each field is computed once, on first use.
 */
export class FieldValues {
  private readonly fields: ReadonlyMap<string, RequiredField>;
  private readonly known = new Map<string, string>();

  constructor(
    invoker: Pick<InvokerFacts, 'requiredData'>,
    private readonly given: Readonly<Record<string, string>>,
    private readonly run: RunOperation,
  ) {
    this.fields = new Map(invoker.requiredData.map((field) => [field.name, field]));
  }

  /**
   * Returns undefined if the field does not exist.
   * @param chain fields that wait for this one
   * @throws EngineError CREDENTIALS_NOT_COMPUTED the expression has no value
   */
  async valueOf(name: string, chain: readonly string[] = []): Promise<string | undefined> {
    const field = this.fields.get(name);
    if (!field) return undefined;
    const cached = this.known.get(name);
    if (cached !== undefined) return cached;
    if (chain.includes(name))
      throw new EngineError(
        'CREDENTIALS_NOT_COMPUTED',
        `To know the field ${name} one has to know it already: ${[...chain, name].join(', ')}.`,
      );
    const value = isDefault(field, this.given)
      ? await this.evaluated(field.value, [...chain, name])
      : this.given[name];
    this.known.set(name, value);
    return value;
  }

  /** Returns whether the field depends, directly or indirectly, on the response of an operation. */
  isComputed(name: string, chain: readonly string[] = []): boolean {
    const field = this.fields.get(name);
    if (field === undefined || chain.includes(name)) return false;
    const { fields, operations } = sourcesOfField(field, this.given);
    return operations.length > 0 || fields.some((each) => this.isComputed(each, [...chain, name]));
  }

  forget(): void {
    this.known.clear();
  }

  private async evaluated(text: string, chain: readonly string[]): Promise<string> {
    const basic = BASIC.exec(text);
    if (basic) {
      const [user, password] = [
        await this.valueOf(basic[1], chain),
        await this.valueOf(basic[2], chain),
      ];
      return `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`, 'utf8').toString('base64')}`;
    }
    if (/%\{[^{}]*\}/.test(text)) return this.filledFromAnswers(text, chain);
    return OTHER.test(text) ? '' : text;
  }

  private async filledFromAnswers(text: string, chain: readonly string[]): Promise<string> {
    let done = '';
    let from = 0;
    for (const match of text.matchAll(ANSWER)) {
      done += text.slice(from, match.index) + (await this.ofAnswer(match[1], chain));
      from = match.index + match[0].length;
    }
    return done + text.slice(from);
  }

  private async ofAnswer(place: string, chain: readonly string[]): Promise<string> {
    const [operation, part, path] = placeOf(place);
    if (part === undefined || (part === 'header' && path === undefined))
      throw new EngineError(
        'CREDENTIALS_NOT_COMPUTED',
        `The invoker has an expression that cannot be read: %{${place.trim().slice(0, 100)}}.`,
      );
    const answer = await this.run(operation, chain);
    const value = part === 'header' ? answer.header(path ?? '') : await fieldOfAnswer(answer, path);
    if (value === undefined)
      throw new ValueNotComputed(
        `The answer to the operation ${operation} has no ${part} ${path ?? ''}`.trimEnd() + '.',
        answer,
      );
    return value;
  }
}
