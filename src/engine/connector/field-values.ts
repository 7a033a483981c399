import { EngineError } from '../errors';
import type { InvokerFacts, RequiredField } from './invoker-facts';
import type { RemoteAnswer } from './remote-answer';
import type { Value } from '../value';
import { partsOf, valueAt } from './answer-path';
import { printExactJson } from '../exact-json';
import { readXml } from '../../platform/xml/read-xml';
import { textAt } from './xml-answer-path';

/**
 * The field of an answer at a path: `x.y[0].z`, with `$.` before it or not; in XML the names of the elements, the first being one in the
 * root or the root itself. Without a path the whole body, without quotes. Undefined: there is none.
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

/** Runs an operation of the invoker; `chain` are the fields that wait for it. */
export type RunOperation = (name: string, chain: readonly string[]) => Promise<RemoteAnswer>;

/** An answer's place may have a prefix of XML in it. */
const BASIC = /(?<!%)\{([^{}%:]+):([^{}%:]+)\}/;
const ANSWER = /%\{([^{}]*)\}/g;
/** `op.body.x`, `op.header.X`, `body.x`, `header.X`. */
const PLACE = /^(?:(.+?)\.)?(body|header)(?:\.(.+))?$/s;
const OTHER = /\{[^{}]*\}/;

/** The operation of an expression that names none. */
const TEST = 'test';

/** The default of an invoker counts where nothing else was given. Only that may be an expression. */
const isDefault = (
  { name, value }: RequiredField,
  given: Readonly<Record<string, string>>,
): boolean => !Object.hasOwn(given, name) || given[name] === value;

/** The fields and the operations that the value of a field is computed from. */
export function sourcesOfField(
  field: RequiredField,
  given: Readonly<Record<string, string>>,
): { readonly fields: readonly string[]; readonly operations: readonly string[] } {
  if (!isDefault(field, given)) return { fields: [], operations: [] };
  const basic = BASIC.exec(field.value);
  if (basic) return { fields: basic.slice(1), operations: [] };
  return {
    fields: [],
    operations: [...field.value.matchAll(ANSWER)].map(([, place]) => placeOf(place)[0]),
  };
}

/** Operation, `body` or `header`, and path of what an expression takes from an answer. */
function placeOf(
  place: string,
): readonly [operation: string, part: string | undefined, path: string | undefined] {
  const [, operation = TEST, part, path] = PLACE.exec(place.trim()) ?? [];
  return [operation, part, path];
}

/**
 * The values that requests are filled with: what was given, and of what was not, the default of the invoker, which may be an expression
 * (docs/connectors.md, "Values in requests"). Only the invoker's own text is one: what people type is taken as it stands. Each is computed once, when it is first asked for.
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
   * Undefined: there is no such field.
   * @param chain the fields that wait for this one
   * @throws EngineError CREDENTIALS_NOT_COMPUTED an expression that has no value
   */
  async valueOf(name: string, chain: readonly string[] = []): Promise<string | undefined> {
    const field = this.fields.get(name);
    if (!field) return undefined;
    const known = this.known.get(name);
    if (known !== undefined) return known;
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

  /** True if the value of a field is taken from the answer of an operation, directly or through other fields. */
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
      throw new EngineError(
        'CREDENTIALS_NOT_COMPUTED',
        `The answer to the operation ${operation} has no ${part} ${path ?? ''}`.trimEnd() + '.',
      );
    return value;
  }
}
