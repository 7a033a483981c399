import { NotFound, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { allSteps } from './step-tree';
import type { StepTree, TreeStep } from './step-tree';

/**
 * The target of a step: the operator it is in (null: none), and its position there (null: last).
 */
export interface StepPlace {
  readonly parentStepId?: string | null;
  readonly position?: number | null;
}

/** An existing target. */
export interface FoundPlace {
  readonly siblings: TreeStep[];
  /** The enclosing operators, the outermost first. */
  readonly around: readonly TreeStep[];
  readonly position: number;
}

/** The current location of a step. */
export interface StandingStep {
  readonly node: TreeStep;
  readonly siblings: TreeStep[];
  readonly around: readonly TreeStep[];
}

/** @throws NotFound STEP_NOT_FOUND */
export function standing(
  tree: StepTree,
  stepId: string,
  path: InputPath = ['stepId'],
): StandingStep {
  const ahead: { readonly siblings: TreeStep[]; readonly around: readonly TreeStep[] }[] = [
    { siblings: tree.roots, around: [] },
    { siblings: tree.unplaced, around: [] },
  ];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { siblings, around } = next;
    const node = siblings.find(({ step }) => step.id === stepId);
    if (node) return { node, siblings, around };
    for (const one of siblings)
      if (one.children.length > 0) ahead.push({ siblings: one.children, around: [...around, one] });
  }
  throw new NotFound(
    'STEP_NOT_FOUND',
    `The workflow has no step ${JSON.stringify(stepId.slice(0, 100))}.`,
    { path },
  );
}

/**
 * Finds the target of a step.
 * @param without a moved step, which is not counted among its siblings
 * @throws NotFound STEP_NOT_FOUND the parent does not exist
 * @throws Refused  STEP_PLACE_INVALID the parent is a method, the step itself or inside it; or the
 * position is too large
 */
export function foundPlace(
  tree: StepTree,
  { parentStepId = null, position = null }: StepPlace,
  without?: TreeStep,
): FoundPlace {
  const parent = parentStepId === null ? null : standing(tree, parentStepId, ['parentStepId']);
  if (parent?.node.kind === 'method')
    throw placeInvalid('A method holds no steps: only operators do.', 'parentStepId');
  if (parent && tree.unplaced.includes(parent.node))
    throw placeInvalid('This operator has no place itself yet: move it first.', 'parentStepId');
  if (parent && without && allSteps([without]).includes(parent.node))
    throw placeInvalid('A step cannot be moved into itself.', 'parentStepId');
  const siblings = parent?.node.children ?? tree.roots;
  const others = siblings.length - (without && siblings.includes(without) ? 1 : 0);
  const wanted = position ?? others;
  if (wanted < 0 || wanted > others)
    throw placeInvalid(`There are places 0 to ${others}.`, 'position');
  return { siblings, around: parent ? [...parent.around, parent.node] : [], position: wanted };
}

const placeInvalid = (message: string, field: 'parentStepId' | 'position'): Refused =>
  new Refused('STEP_PLACE_INVALID', message, { path: [field] });
