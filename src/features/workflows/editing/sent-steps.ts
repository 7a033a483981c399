import type { InputPath } from '../../../platform/errors/errors';
import type { PathTable } from '../../../platform/errors/findings';
import type { JsonObject } from '../document/json';
import { isJsonObject, isSameJson } from '../document/json';
import { partIdOf } from '../document/part-ids';
import { presentStep } from '../document/step.presenter';
import { changedPart } from '../document/workflow-content';
import type { StepDocument, WorkflowDocument } from '../document/workflow-document';
import { createId, stepFieldsOf } from './step-edits';
import type { StepKind } from './step-edits';
import { addColors } from './step-references';
import { buildTree, listSteps, withSteps, withTree } from './step-tree';
import type { StepTree, TreeStep } from './step-tree';

/** A step that a client sends: a method, or an operator with the steps inside. */
export interface SentStep {
  readonly method?: (SentFields & object) | null;
  readonly operator?: (SentFields & { readonly steps?: readonly SentStep[] | null }) | null;
}

interface SentFields {
  readonly stepId?: string | null;
}

/** The steps of a client as a tree, in execution order. Requests limit its depth and size. */
export class SentSteps {
  /**
   * @param place path of the steps in the input
   * @param paths receives the paths of the steps in the input, for errors
   */
  constructor(
    private readonly steps: readonly SentStep[],
    private readonly place: InputPath,
    private readonly paths: PathTable[number][],
  ) {}

  /**
   * Returns the document with these steps instead of its own. Steps with the id of a stored step
   * keep the fields that were not sent, or sent as they are read. Indexes are renumbered if a step
   * was added, removed or moved.
   * @throws BadInput ONE_OF_REQUIRED a step is no method or operator, or both
   */
  applyTo(document: WorkflowDocument): WorkflowDocument {
    const { methods, operators } = document.fromConnector;
    const saved = { method: byId(methods), operator: byId(operators) };
    const places = new Map<TreeStep, InputPath>();
    const nodesOf = (steps: readonly SentStep[], list: InputPath): TreeStep[] =>
      steps.map((step, position) => {
        const { kind, fields } = stepFieldsOf(step, [...list, position]);
        const place = [...list, position, kind];
        const {
          stepId,
          steps: inside,
          ...content
        } = fields as SentFields & NonNullable<SentStep['operator']>;
        const node = {
          ...createNode(kind, stepId ?? null, content, saved[kind]),
          children: nodesOf(inside ?? [], [...place, 'steps']),
        };
        places.set(node, place);
        return node;
      });
    const tree: StepTree = { roots: nodesOf(this.steps, this.place), unplaced: [] };
    const nodes = listSteps(tree.roots);
    addColors(nodes);
    const stored = buildTree(document);
    const isMoved = !isSameTree(tree.roots, [...stored.roots, ...stored.unplaced]);
    const result = isMoved ? withTree(document, tree) : withSteps(document, tree);
    this.paths.unshift(
      ...this.pathsIn(result, new Map(nodes.map((node) => [node.step, places.get(node) ?? []]))),
    );
    return result;
  }

  private pathsIn(
    { fromConnector }: WorkflowDocument,
    places: ReadonlyMap<StepDocument, InputPath>,
  ): PathTable {
    const lists = { methods: fromConnector.methods, operators: fromConnector.operators };
    return Object.entries(lists).flatMap(([name, list]) => [
      ...list.map((step: StepDocument, position): PathTable[number] => [
        ['fromConnector', name, position],
        places.get(step) ?? this.place,
      ]),
      [['fromConnector', name], this.place] as const,
    ]);
  }
}

const byId = (steps: readonly StepDocument[]): Map<string | null, StepDocument> =>
  new Map(steps.map((step) => [partIdOf(step), step]));

/** A stored step is taken once: another step with its id is new, and gets another id. */
function createNode(
  kind: StepKind,
  stepId: string | null,
  content: object,
  savedById: Map<string | null, StepDocument>,
): Omit<TreeStep, 'children'> {
  const saved = (stepId !== null && savedById.get(stepId)) || null;
  if (saved === null)
    return { kind, saved, step: { id: stepId ?? createId(), ...changedPart({}, content) } };
  savedById.delete(stepId);
  const view = { ...presentStep({ kind, step: saved }, null) };
  const step = changedPart(saved, changesOf(content as JsonObject, view)) as StepDocument;
  return { kind, saved, step };
}

/** Fields that are compared field by field. */
const COMPARED_BY_FIELD = new Set(['connector', 'request', 'body']);

/**
 * Returns the fields that differ from what clients read. Stored values that GraphQL cannot show stay
 * when a step is written as it was read.
 */
function changesOf(sent: JsonObject, read: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
      const before = read[name];
      if (value === undefined || isSameJson(value, before)) return [];
      if (!COMPARED_BY_FIELD.has(name) || !isJsonObject(value) || !isJsonObject(before))
        return [[name, value]];
      const changes = changesOf(value, before);
      if (Object.keys(changes).length === 0) return [];
      return [[name, name === 'connector' ? value : changes]];
    }),
  );
}

/** Whether both lists contain the same stored steps, with the same steps inside. */
const isSameTree = (nodes: readonly TreeStep[], others: readonly TreeStep[]): boolean =>
  nodes.length === others.length &&
  nodes.every(
    ({ saved, children }, at) =>
      saved !== null && saved === others[at]?.saved && isSameTree(children, others[at].children),
  );
