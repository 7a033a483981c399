import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { renderText, secretsAmong, sourcesOf } from '../text/template';
import type { Template } from '../text/template';

export interface HeaderTemplate {
  readonly name: string;
  readonly value: Template;
}

export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Control characters except tab are invalid in HTTP headers. */
const FORBIDDEN_IN_VALUE = /[\0-\x08\n-\x1f\x7f]/;
const BEYOND_LATIN_1 = /[^\0-\xFF]/;

/** Headers of the connection, or computed ones; not up to the workflow. */
const OURS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns whether the service sets a header itself, whatever a workflow says. */
export const isHeaderOfConnection = (name: string): boolean => OURS.has(name.toLowerCase());

/**
 * Renders the headers in the spelling of the workflow; the last of several that differ in case
 * wins.
 * @throws EngineError REQUEST_HEADER_UNSAFE a value contains line breaks or other invalid
 *   characters
 */
export function renderHeaders(
  templates: readonly HeaderTemplate[],
  scope: Scope,
): Record<string, string> {
  if (templates.length === 0) return {};
  const headers = new Map<string, [string, string]>();
  for (const { name, value } of templates) {
    if (!OURS.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), [
        name,
        headerText(
          name,
          renderText(value, scope),
          secretsAmong(sourcesOf(value)).map((secret) => scope.secret(secret)),
        ),
      ]);
  }
  return Object.fromEntries(headers.values());
}

/** Returns the value of a header, case-insensitive. */
export function headerValue(
  headers: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Sets a header; keeps the spelling of an existing one. */
export function setHeader(headers: Record<string, string>, name: string, value: string): void {
  const existingName = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  headers[existingName ?? name] = value;
}

/**
 * Trims and encodes a header value. Secrets in it must be valid as they are.
 * @throws EngineError REQUEST_HEADER_UNSAFE
 */
export function headerText(name: string, value: string, secrets: readonly string[] = []): string {
  const trimmed = value.trim();
  if ([trimmed, ...secrets].some((text) => FORBIDDEN_IN_VALUE.test(text)))
    throw new EngineError(
      'REQUEST_HEADER_UNSAFE',
      `The value of the header ${name} holds a line break or another control character.`,
    );
  // Header values are bytes; text beyond Latin-1 is sent as UTF-8.
  return BEYOND_LATIN_1.test(trimmed) ? Buffer.from(trimmed, 'utf8').toString('latin1') : trimmed;
}
