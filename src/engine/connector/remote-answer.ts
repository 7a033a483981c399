import { parseExactJson } from '../exact-json';
import type { OutboundResponse } from '../ports';
import { bodyText } from '../response/read-body';
import { isJsonFormat } from '../request/body-format';
import { failsOf } from './invoker-facts';
import type { Operation } from './invoker-facts';

/** What a remote system answered, read as far as a check needs it. */
export class RemoteAnswer {
  private decoded: string | undefined;
  private parsed: { readonly value: unknown } | null | undefined;

  constructor(private readonly response: OutboundResponse) {}

  get bytes(): Buffer {
    return this.response.body;
  }

  get text(): string {
    return (this.decoded ??= bodyText(this.response));
  }

  get status(): number {
    return this.response.status;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isXml(): boolean {
    return /[/+]xml\b/i.test(this.header('content-type') ?? '') || /^\s*<\?xml\b/.test(this.text);
  }

  /** The first value of a header. */
  header(name: string): string | undefined {
    const value = this.response.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The body as JSON, in an object of its own; null: it is none. */
  get json(): { readonly value: unknown } | null {
    if (this.parsed === undefined) this.parsed = readJson(this.text);
    return this.parsed;
  }
}

function readJson(text: string): { value: unknown } | null {
  try {
    return { value: parseExactJson(text) };
  } catch {
    return null;
  }
}

/**
 * Does a body have every property of the one the operation declares for failures of its status, else for the first of them? Some systems answer 200 and say so in the body. Only
 * JSON is compared, by the presence of names; values do not count: in an invoker they are mostly empty.
 */
export function looksFailed(
  answer: RemoteAnswer,
  operation: Pick<Operation, 'fail' | 'fails'>,
): boolean {
  const fails = failsOf(operation);
  const declared = (fails.find(({ status }) => Number(status) === answer.status) ?? fails.at(0))
    ?.body;
  if (
    !declared ||
    !isJsonFormat(declared.format) ||
    !hasProperties(declared.value) ||
    answer.json === null
  )
    return false;
  return hasShape(declared.value, answer.json.value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const hasProperties = (fields: unknown): boolean =>
  Array.isArray(fields) ? fields.length > 0 : isObject(fields) && Object.keys(fields).length > 0;

/** Does a body have every property of a declared one? Of a list some element must. */
export function hasShape(declared: unknown, actual: unknown): boolean {
  if (Array.isArray(declared))
    return (
      Array.isArray(actual) &&
      declared.every((item) => !isObject(item) || actual.some((each) => hasShape(item, each)))
    );
  if (!isObject(declared)) return true;
  return (
    isObject(actual) &&
    Object.entries(declared).every(
      ([name, value]) => Object.hasOwn(actual, name) && hasShape(value, actual[name]),
    )
  );
}
