import { EngineError } from '../errors';
import { parseExactJson } from '../exact-json';
import type { OutboundResponse } from '../ports';
import { explainRefusal } from '../response/explain-refusal';
import { bodyText } from '../response/read-body';
import { isInRanges } from '../response/status-ranges';
import { isJsonFormat } from '../request/body-format';
import { failsOf } from './invoker-facts';
import type { Operation, OperationResult } from './invoker-facts';
import type { Value } from '../value';

/**
 * Returns whether the operation failed: by the statuses that the step counts as success, or else
 * by the declared statuses of `fail` and `success`, or, if
 * they are equal, by the properties that `fail` declares for the body. For other statuses, 400 and
 * above is a failure.
 */
export function hasFailed(
  operation: Pick<Operation, 'success' | 'fail' | 'fails' | 'successStatus'>,
  status: number,
  body: Value,
): boolean {
  const { success, successStatus = null } = operation;
  if (successStatus !== null) return !isInRanges(successStatus, status);
  const succeeds = success !== null && Number(success.status) === status;
  const fail = failsOf(operation).find((one) => Number(one.status) === status);
  if (succeeds && fail) return looksLike(fail, body) && !looksLike(success, body);
  return fail !== undefined || (!succeeds && status >= 400);
}

const looksLike = (result: OperationResult, body: Value): boolean =>
  hasProperties(result.body?.value) && hasShape(result.body?.value, body);

/** Response of a remote system; body decoded on access. */
export class RemoteAnswer {
  private decoded: string | undefined;
  private parsed: { readonly value: unknown } | null | undefined;

  constructor(readonly response: OutboundResponse) {}

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

  /** Why a 401 cannot be answered with credentials, as a sentence; mostly empty. */
  get refusal(): string {
    return explainRefusal(this.response).trim();
  }

  /** Returns the first value of a header. */
  header(name: string): string | undefined {
    const value = this.response.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The body as JSON, wrapped in an object; null if it is not JSON. */
  get json(): { readonly value: unknown } | null {
    if (this.parsed === undefined) this.parsed = readJson(this.text);
    return this.parsed;
  }
}

/** A value of a connector cannot be computed from this answer of an operation. */
export class ValueNotComputed extends EngineError {
  constructor(
    message: string,
    readonly answer: RemoteAnswer,
  ) {
    super('CREDENTIALS_NOT_COMPUTED', message);
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
 * Returns whether the body has all properties that the operation declares for a failure with this
 * status, or else for its first failure: some systems report failures with status 200. Compares
 * names in JSON only, since declared values are mostly empty.
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
const hasProperties = (fields: unknown): boolean =>
  Array.isArray(fields) ? fields.length > 0 : isObject(fields) && Object.keys(fields).length > 0;

/**
 * Returns whether a body has all properties of the declared one; in a list, one element suffices.
 */
function hasShape(declared: unknown, actual: unknown): boolean {
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
