import { EngineError } from '../errors';
import type { Scope } from '../reference/scope';
import { renderText, secretsAmong, sourcesOf } from '../text/template';
import type { Template } from '../text/template';

export interface HeaderTemplate {
  readonly name: string;
  readonly value: Template;
}

export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What HTTP has no place for: all control characters but the tab. */
const FORBIDDEN_IN_VALUE = /[\0-\x08\n-\x1f\x7f]/;
const BEYOND_LATIN_1 = /[^\0-\xFF]/;

/** They describe the connection, which is not the workflow's, or the length, which is computed. */
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

/**
 * The headers to send, in the spelling of the workflow; of two that differ in case only, the later counts.
 * @throws EngineError REQUEST_HEADER_UNSAFE for a value that would end the line, or cannot be sent
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

/** The value of a header by its name, whatever the spelling. */
export function headerValue(
  headers: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Gives a header another value, whatever the spelling of the one that is there. */
export function setHeader(headers: Record<string, string>, name: string, value: string): void {
  const known = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase());
  headers[known ?? name] = value;
}

/**
 * The value of a header as it is sent. Blanks around it are no part of it; a secret is sent as it is or not at all.
 * @throws EngineError REQUEST_HEADER_UNSAFE
 */
export function headerText(name: string, value: string, secrets: readonly string[] = []): string {
  const trimmed = value.trim();
  if ([trimmed, ...secrets].some((text) => FORBIDDEN_IN_VALUE.test(text)))
    throw new EngineError(
      'REQUEST_HEADER_UNSAFE',
      `The value of the header ${name} holds a line break or another control character.`,
    );
  // Header values are bytes on the wire; what is no Latin-1 goes out as UTF-8.
  return BEYOND_LATIN_1.test(trimmed) ? Buffer.from(trimmed, 'utf8').toString('latin1') : trimmed;
}
