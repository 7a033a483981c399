import { sortByIndex } from '../editing/step-tree';
import type { StepDocument, WorkflowDocument } from './document-shape';
import { parseNotes, TWO_CONTAINERS } from './two-containers';
import { divideSteps } from './two-sides';
import type { Side, SidePlace } from './two-sides';

/** Indexes of the next step, one of them null: which one depends on its kind. */
export interface NextStep {
  readonly method: string | null;
  readonly operator: string | null;
}

/** A step where a 4.x client shows it. */
export interface OutlinedStep {
  readonly side: Side;
  readonly index: string;
  readonly color: string | null;
  /** Expression of an operator. */
  readonly expression: string | null;
  readonly next: NextStep;
  /** What follows the steps below an operator. */
  readonly afterBody: NextStep;
}

interface PlacedStep extends SidePlace {
  readonly step: StepDocument;
  readonly index: string;
  readonly kind: keyof NextStep;
}

const NOTHING: NextStep = { method: null, operator: null };

const nextOf = (step: PlacedStep | undefined): NextStep =>
  step === undefined ? NOTHING : { ...NOTHING, [step.kind]: step.index };

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Returns the steps of a workflow as a 4.x client sees them, by their index in the document. A
 * workflow that has no two sides is shown in the first container.
 */
export function outlineTwoContainers(
  document: WorkflowDocument,
): ReadonlyMap<string, OutlinedStep> {
  const sides = divideSteps(document, parseNotes(document[TWO_CONTAINERS]));
  const placeOf = (step: StepDocument): SidePlace =>
    (sides.reason === null ? sides.places.get(step) : undefined) ?? {
      side: 'from',
      index: step.index ?? null,
    };
  const { methods, operators } = document.fromConnector;
  const placed = (steps: readonly StepDocument[], kind: keyof NextStep): PlacedStep[] =>
    steps.flatMap((step) => {
      const { side, index } = placeOf(step);
      return step.index == null || index === null ? [] : { step, side, index, kind };
    });
  const all = [...placed(methods, 'method'), ...placed(operators, 'operator')];
  return new Map(
    (['from', 'to'] as const).flatMap((side) =>
      outlined(
        sortByIndex(
          all.filter((step) => step.side === side),
          ({ index }) => index,
        ),
      ),
    ),
  );
}

/** @param steps of one side, in order */
function outlined(steps: readonly PlacedStep[]): [string, OutlinedStep][] {
  /** Position of the next step that is not below, from the last step backwards. */
  const behind: number[] = [];
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    let next = at + 1;
    while (next < steps.length && steps[next].index.startsWith(`${steps[at].index}_`))
      next = behind[next];
    behind[at] = next;
  }
  return steps.map(({ step, side, index }, at) => [
    step.index ?? '',
    {
      side,
      index,
      color: textOf(step.color),
      expression: textOf(step.expression),
      next: nextOf(steps[at + 1]),
      afterBody: nextOf(steps[behind[at]]),
    },
  ]);
}
