import { usesSecret } from '../../platform/secrets';
import { UrlPlace } from '../request/url';
import { parseTemplate } from '../text/template';
import type { Template } from '../text/template';
import { fieldOf, listOf } from './clean';
import { stepTypeOf } from '../step-types';
import type { ProblemReport } from './problems';

/** Descriptive fields and examples, which are not executed. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  'name',
  'label',
  'title',
  'description',
  'response',
]);
/** Parts of a request that may use secrets; checked where they are parsed. */
const SENT: ReadonlySet<string> = new Set(['endpoint', 'header', 'body']);

/** Reports named secrets in invalid places of a step. Calls of webhooks may not send secrets. */
export function reportInMethod(method: unknown, report: ProblemReport): void {
  if (!isUsedInStep(method)) return;
  const request = fieldOf(method, 'request');
  const maySend = stepTypeOf(fieldOf(method, 'methodType'))?.maySendSecrets !== false;
  reportIn(without(method, new Set([...FOR_PEOPLE, 'request'])), '', report);
  reportIn(maySend ? without(request, SENT) : request, 'request.', report);
  if (!maySend) return;
  reportIn(Object.keys(recordOf(fieldOf(request, 'header'))), 'request.header.', report);
  reportIn(without(fieldOf(request, 'body'), new Set(['fields'])), 'request.body.', report);
  const endpoint = fieldOf(request, 'endpoint');
  if (typeof endpoint === 'string' && usesSecret(endpoint) && isInHost(endpoint.trim()))
    report.add(
      'SECRET_NOT_ALLOWED_HERE',
      'request.endpoint',
      'request.endpoint: a secret is never part of the host.',
    );
}

/** @returns whether there were any */
export function reportInOperator(operator: unknown, report: ProblemReport): boolean {
  return isUsedInStep(operator) && reportIn(without(operator, FOR_PEOPLE), '', report);
}

/** Fast check: most steps use no secret. */
function isUsedInStep(step: unknown): boolean {
  for (const [name, value] of Object.entries(recordOf(step))) {
    if (!FOR_PEOPLE.has(name) && (usesSecret(name) || isUsedIn(value))) return true;
  }
  return false;
}

/** @param reportOf returns the report of the step with this colour, or else of the workflow */
export function reportInBindings(
  bindings: unknown,
  reportOf: (color: string | null) => ProblemReport,
): void {
  for (const [position, binding] of listOf(bindings as readonly unknown[]).entries()) {
    if (!isUsedIn(without(binding, FOR_PEOPLE))) continue;
    const ends = [
      ...listOf(fieldOf(binding, 'to') as readonly unknown[]),
      ...listOf(fieldOf(binding, 'from') as readonly unknown[]),
    ];
    const color = ends.map((end) => fieldOf(end, 'color')).find((text) => typeof text === 'string');
    reportOf(color?.toUpperCase() ?? null).add(
      'SECRET_NOT_ALLOWED_HERE',
      `fieldBinding.${position}`,
      'fieldBinding: a secret stands in a field binding or its script, where none may stand.',
    );
  }
}

function reportIn(part: unknown, prefix: string, report: ProblemReport): boolean {
  const entries: [string, unknown][] = Array.isArray(part)
    ? (part as unknown[]).map((item) => [String(item), item])
    : Object.entries(recordOf(part));
  const wrong: string[] = [];
  for (const [name, value] of entries) if (usesSecret(name) || isUsedIn(value)) wrong.push(name);
  for (const name of wrong)
    report.add(
      'SECRET_NOT_ALLOWED_HERE',
      `${prefix}${name}`,
      `${prefix}${name}: a secret stands where none may stand. It may stand in the URL behind the host, in the value of a header, or in a value of the body.`,
    );
  return wrong.length > 0;
}

/** Searches names and values at any depth. */
function isUsedIn(root: unknown): boolean {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && usesSecret(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) open.push(name, inner ?? null);
  }
  return false;
}

/** Checks a URL with a literal start; otherwise this is checked when the base URL is known. */
function isInHost(endpoint: string): boolean {
  const place = new UrlPlace();
  let isInAuthority = false;
  for (const piece of readable(endpoint)) {
    if (typeof piece === 'string') {
      const end = isInAuthority ? /[@/?#\\]/.exec(piece)?.[0] : undefined;
      if (end !== undefined && end !== '@') return true;
      if (end === '@') isInAuthority = false;
      place.pass(piece);
    } else {
      if (place.zone === 'start') return piece.kind === 'secret';
      isInAuthority ||= piece.kind === 'secret' && place.zone === 'authority';
      place.pass('x');
    }
  }
  return isInAuthority;
}

/** Syntax errors are reported elsewhere. */
function readable(endpoint: string): Template {
  try {
    return parseTemplate(endpoint);
  } catch {
    return [];
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function without(value: unknown, names: ReadonlySet<string>): unknown {
  return Object.fromEntries(Object.entries(recordOf(value)).filter(([name]) => !names.has(name)));
}
