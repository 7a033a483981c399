import type { ErrorCode } from '../../../platform/errors/codes';
import type { InputPath, Problem } from '../../../platform/errors/errors';
import { Refused } from '../../../platform/errors/errors';
import type { Findings } from '../../../platform/errors/findings';
import { textProblems } from '../../../platform/errors/text-problems';
import type { JsonObject } from './json';
import { DEEPEST, isJsonObject, nestsDeeperThan } from './json';
import { inCurrentShape, isLegacyDocument } from './legacy-document';
import { idOf } from './record-id';
import { assignIds, BINDING_SIGNS, METHOD_SIGNS, OPERATOR_SIGNS, partIdOf } from './part-ids';
import { addNotes, asSavedBy4x } from './saved-notes';
import { parseTitle } from './title';
import { METHOD_TYPES } from './document-shape';
import type { MethodDocument, OperatorDocument, WorkflowDocument } from './document-shape';

export { METHOD_TYPES } from './document-shape';
export type {
  MethodDocument,
  MethodTypeName,
  OperatorDocument,
  StepDocument,
  WorkflowDocument,
} from './document-shape';

export const DESCRIPTION_LENGTH = 512;
export const MOST_STEPS = 10_000;
const MOST_PROBLEMS = 20;

/**
 * Parses a workflow for a save. Unfinished workflows are accepted, unreadable ones are not. Fields
 * unknown to this service, such as the layout (`ui`), are kept. Converts the 4.x shape, and adds
 * missing ids (`part-ids`).
 * @param stored the document to replace; null for a new workflow
 * @param findings receives TITLE_INVALID, OPERATOR_EXPRESSION_IS_EMPTY, and WORKFLOW_INVALID with each
 * wrong path
 * @returns null if the document cannot be read
 */
export function readDocument(
  input: unknown,
  findings: Findings,
  stored: WorkflowDocument | null = null,
): WorkflowDocument | null {
  if (!isJsonObject(input)) return unreadable('A workflow is a JSON object.', findings);
  if (nestsDeeperThan(input, DEEPEST))
    return unreadable(`A workflow nests at most ${DEEPEST} levels deep.`, findings);
  const { connectionId: _connectionId, nodeId: _nodeId, ...sent } = input;
  const title = findings.ofSync(() => parseTitle(sent.title));
  const shape = inCurrentShape(sent);
  const problems = problemsOf(shape, stored);
  if (problems.length > 0) findings.add(invalid(problems));
  if (problems.some(({ code }) => code === 'WORKFLOW_INVALID')) return null;
  const base = stored !== null && isLegacyDocument(sent) ? asSavedBy4x(stored) : stored;
  const document = addNotes(sent, completed(shape, title ?? '', base), stored);
  findings.add(...emptyExpressions(document.fromConnector.operators));
  return document;
}

function unreadable(message: string, findings: Findings): null {
  findings.add(new Refused('WORKFLOW_INVALID', message));
  return null;
}

/** Adds the ids of parts, and default values for missing fields. */
function completed(
  shape: JsonObject,
  title: string,
  stored: WorkflowDocument | null,
): WorkflowDocument {
  const container = isJsonObject(shape.fromConnector) ? shape.fromConnector : {};
  const [methods, operators, bindings] = [
    partsIn(container.methods),
    partsIn(container.operators),
    partsIn(shape.fieldBinding),
  ];
  const [methodIds = [], operatorIds = []] = assignIds([
    { sent: methods, stored: stored?.fromConnector.methods ?? [], signs: METHOD_SIGNS },
    { sent: operators, stored: stored?.fromConnector.operators ?? [], signs: OPERATOR_SIGNS },
  ]);
  const [bindingIds = []] = assignIds([
    { sent: bindings, stored: stored?.fieldBinding ?? [], signs: BINDING_SIGNS },
  ]);
  return {
    ...shape,
    title,
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      ...container,
      methods: methods.map((method, position) =>
        withId(method, methodIds[position]),
      ) as unknown as MethodDocument[],
      operators: operators.map((operator, position) =>
        withId(operator, operatorIds[position]),
      ) as unknown as OperatorDocument[],
    },
    toConnector: null,
    // Bindings of 4.x clients have `nodeId` instead of `id`, and are kept unchanged.
    fieldBinding: bindings.map((binding, position) =>
      partIdOf(binding) === bindingIds[position] ? binding : withId(binding, bindingIds[position]),
    ),
  };
}

const partsIn = (value: unknown): JsonObject[] => (value ?? []) as JsonObject[];

const withId = (part: JsonObject, id: string | undefined): JsonObject =>
  part.id === id ? part : { ...part, id };

/** Clients read the operator from the message, so its format must not change: spec 2.8. */
function emptyExpressions(operators: readonly OperatorDocument[]): Refused[] {
  const empty = operators.flatMap((operator, position): Problem[] =>
    typeof operator.expression === 'string' && operator.expression.trim() !== ''
      ? []
      : [
          {
            code: 'OPERATOR_EXPRESSION_IS_EMPTY',
            path: ['fromConnector', 'operators', position, 'expression'],
            message: `Operator (index=${operator.index ?? null}, type=${operator.type ?? null}) has null or empty expression`,
          },
        ],
  );
  const first = empty[0];
  if (!first) return [];
  const problems = empty.length > 1 ? empty.slice(0, MOST_PROBLEMS) : [];
  return [
    new Refused('OPERATOR_EXPRESSION_IS_EMPTY', first.message, { path: first.path, problems }),
  ];
}

const invalid = (problems: readonly Problem[]): Refused =>
  new Refused('WORKFLOW_INVALID', 'This workflow cannot be saved.', {
    path: problems[0]?.path,
    problems: problems.slice(0, MOST_PROBLEMS),
  });

/** Finds everything in the shape that could not be read back, and texts that are too long. */
function problemsOf(shape: JsonObject, stored: WorkflowDocument | null): Problem[] {
  const container = shape.fromConnector ?? {};
  return [
    ...wrong(['description'], shape.description, isTextOrNull, 'Expected text or null.'),
    ...(typeof shape.description === 'string'
      ? textProblems(
          shape.description,
          DESCRIPTION_LENGTH,
          ['description'],
          `A description has at most ${DESCRIPTION_LENGTH} characters.`,
        )
      : []),
    ...wrong(
      ['toConnector'],
      shape.toConnector ?? null,
      (value) => value === null,
      'Expected null: all steps stand in fromConnector.',
    ),
    ...wrong(
      ['categoryId'],
      shape.categoryId,
      (id) => id === stored?.categoryId || isCategory(id),
      'Expected the id of a category or null.',
    ),
    ...listProblems(['fieldBinding'], shape.fieldBinding, () => []),
    ...(isJsonObject(container)
      ? [
          ...listProblems(['fromConnector', 'methods'], container.methods, methodProblems),
          ...listProblems(['fromConnector', 'operators'], container.operators, operatorProblems),
        ]
      : [unfit(['fromConnector'], 'Expected an object with methods and operators.')]),
  ];
}

const unfit = (
  path: InputPath,
  message: string,
  code: ErrorCode = 'WORKFLOW_INVALID',
): Problem => ({ code, path, message });

function listProblems(
  path: InputPath,
  list: unknown,
  problemsOfItem: (item: JsonObject, path: InputPath) => Problem[],
): Problem[] {
  if (list == null) return [];
  if (!Array.isArray(list)) return [unfit(path, 'Expected a list.')];
  if (list.length > MOST_STEPS)
    return [unfit(path, `Expected at most ${MOST_STEPS} entries.`, 'LIST_TOO_LONG')];
  return list.flatMap((item: unknown, position) => {
    const place = [...path, position];
    return isJsonObject(item) ? problemsOfItem(item, place) : [unfit(place, 'Expected an object.')];
  });
}

function stepProblems(step: JsonObject, path: InputPath, texts: readonly string[]): Problem[] {
  return texts.flatMap((name) =>
    wrong([...path, name], step[name], isTextOrNull, 'Expected text or null.'),
  );
}

function methodProblems(method: JsonObject, path: InputPath): Problem[] {
  return [
    ...stepProblems(method, path, ['id', 'nodeId', 'index', 'name', 'label', 'color', 'fileName']),
    ...['required', 'repeatable', 'enabled'].flatMap((name) =>
      wrong([...path, name], method[name], isBooleanOrNull, 'Expected true, false or null.'),
    ),
    ...wrong(
      [...path, 'methodType'],
      method.methodType,
      isMethodType,
      `Expected ${METHOD_TYPES.join(', ')} or null.`,
    ),
    ...['connector', 'request', 'response'].flatMap((name) =>
      wrong([...path, name], method[name], isObjectOrNull, 'Expected an object or null.'),
    ),
  ];
}

const operatorProblems = (operator: JsonObject, path: InputPath): Problem[] => [
  ...stepProblems(operator, path, ['id', 'nodeId', 'index', 'type', 'expression', 'iterator']),
  ...wrong(
    [...path, 'enabled'],
    operator.enabled,
    isBooleanOrNull,
    'Expected true, false or null.',
  ),
];

const wrong = (
  path: InputPath,
  value: unknown,
  isRight: (value: unknown) => boolean,
  message: string,
  code?: ErrorCode,
): Problem[] => (isRight(value) ? [] : [unfit(path, message, code)]);

/** Clients send 0 for no category. */
const isCategory = (value: unknown): boolean =>
  value == null || value === 0 || idOf(value) !== null;
const isTextOrNull = (value: unknown): boolean => value == null || typeof value === 'string';
const isBooleanOrNull = (value: unknown): boolean => value == null || typeof value === 'boolean';
const isObjectOrNull = (value: unknown): boolean => value == null || isJsonObject(value);
const isMethodType = (value: unknown): boolean =>
  value == null || METHOD_TYPES.some((type) => type === value);
