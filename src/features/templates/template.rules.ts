import { randomUUID } from 'node:crypto';
import { isCurable, reasonsOf, Refused } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import { textProblems } from '../../platform/errors/text-problems';
import { isJsonObject } from '../workflows/workflow-document.service';
import type { JsonObject } from '../workflows/workflow-document.service';

export const TEMPLATE_LENGTHS = {
  name: 255,
  description: 4_000,
  license: 255,
  version: 40,
} as const;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Normalises the UUID of a template; null if it is not one. */
export const templateIdOf = (value: unknown): string | null =>
  typeof value === 'string' && UUID.test(value.toLowerCase()) ? value.toLowerCase() : null;

export const newTemplateId = (): string => randomUUID();

export interface TemplateFacts {
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
}

/** A template from a client or a file. */
export interface SentTemplate extends TemplateFacts {
  /** Null if missing or not a UUID. */
  readonly templateId: string | null;
  /** Null if the file does not name it. */
  readonly version: string | null;
  readonly connection: JsonObject;
}

const problem = (
  path: InputPath,
  message: string,
  code: Problem['code'] = 'TEMPLATE_INVALID',
): Problem => ({ code, path, message });

export const templateInvalid = (problems: readonly Problem[]): Refused =>
  new Refused('TEMPLATE_INVALID', 'The template is invalid.', {
    path: problems[0]?.path,
    problems,
  });

function factProblem(sent: JsonObject, name: keyof typeof TEMPLATE_LENGTHS): Problem[] {
  const value = sent[name];
  return value == null || typeof value === 'string'
    ? textProblems(value, TEMPLATE_LENGTHS[name], [name])
    : [problem([name], 'Expected text or null.')];
}

/** Validates the name, description, license and version of a template. */
export function factProblems(sent: JsonObject): Problem[] {
  const isUnnamed = typeof sent.name !== 'string' || sent.name.trim() === '';
  return [
    ...(isUnnamed && (sent.name == null || typeof sent.name === 'string')
      ? [problem(['name'], 'The name is missing.', 'NAME_INVALID')]
      : []),
    ...(['name', 'description', 'license', 'version'] as const).flatMap((name) =>
      factProblem(sent, name),
    ),
  ];
}

/**
 * Parses a template of any version. Unknown fields are dropped; a missing name is taken from the
 * workflow.
 * @throws Refused TEMPLATE_INVALID with each wrong path
 */
export function readTemplate(value: unknown): SentTemplate {
  if (!isJsonObject(value)) throw templateInvalid([problem([], 'A template is a JSON object.')]);
  const { connection } = value;
  const name = value.name ?? (isJsonObject(connection) ? connection.title : null);
  const problems = [
    ...factProblems({ ...value, name }),
    ...(isJsonObject(connection)
      ? []
      : [problem(['connection'], 'Expected the workflow as a JSON object.')]),
  ];
  if (problems.length > 0 || typeof name !== 'string' || !isJsonObject(connection))
    throw templateInvalid(problems);
  const text = (field: unknown): string | null =>
    typeof field === 'string' && field !== '' ? field : null;
  return {
    templateId: templateIdOf(value.templateId),
    name: name.trim(),
    description: text(value.description),
    license: text(value.license),
    version: text(value.version)?.trim() || null,
    connection,
  };
}

/**
 * Processes a part of the input, and prefixes the paths of errors.
 * @throws Refused TEMPLATE_INVALID with each error
 */
export async function prefixPaths<R>(prefix: InputPath, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!isCurable(error)) throw error;
    const problems = reasonsOf(error).map((reason) => ({
      ...reason,
      path: [...prefix, ...reason.path],
    }));
    const message = `${prefix.join('.')}: ${error.message}`;
    throw new Refused('TEMPLATE_INVALID', message, { path: prefix, problems });
  }
}

/**
 * Throws all collected errors as one.
 * @throws Refused TEMPLATE_INVALID
 */
export function throwAsOne(findings: Findings): void {
  try {
    findings.refuse();
  } catch (error) {
    if (!isCurable(error)) throw error;
    throw templateInvalid(reasonsOf(error));
  }
}
