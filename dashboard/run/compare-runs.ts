import { request } from '../api/request';
import { StepAnswersDocument } from '../generated/operations';
import type { ComparedRunFragment } from '../generated/operations';
import { toFailure } from '../api/failure';
import { stepIdOf, treeFromShapes } from './step-tree';
import type { StepNode } from './step-tree';

/** Page sizes: with answers, a page may have a megabyte. */
const PAGE_SIZE = 100;
const ANSWERS_PAGE_SIZE = 20;
/** Later events are not compared. */
export const MAX_COMPARED_EVENTS = 2_000;

/** A step in one iteration, as a run ended it. */
export interface EndedStep {
  /** Equal in both runs: the step and its iterations. */
  readonly key: string;
  /** Equal in both runs for all iterations. */
  readonly stepKey: string;
  readonly index: string;
  readonly loopIndex: readonly number[];
  readonly sequence: number;
  /** State of a method, or the result of a condition. */
  readonly outcome: string;
  readonly statusCode: number | null;
  readonly durationMs: number | null;
  readonly payload: string | null;
}

/** The steps of a run in the order of their ends. */
export interface LoadedSteps {
  readonly run: ComparedRunFragment;
  readonly steps: ReadonlyMap<string, EndedStep>;
  /** There are more events than were read. */
  readonly isCut: boolean;
  /** The events are no longer stored. */
  readonly isGone: boolean;
}

export interface Difference {
  readonly kind: 'outcome' | 'answer' | 'missing';
  readonly step: EndedStep | null;
  readonly other: EndedStep | null;
}

export interface Comparison {
  readonly run: LoadedSteps;
  readonly other: LoadedSteps;
  /** The first step that ended differently. */
  readonly outcome: Difference | null;
  /** The first step with another body in its answer. */
  readonly answer: Difference | null;
}

/** All steps of a version, by index. */
export function nodesOf({ workflowVersion }: ComparedRunFragment): ReadonlyMap<string, StepNode> {
  const nodes = new Map<string, StepNode>();
  const add = (level: readonly StepNode[]): void => {
    for (const node of level) {
      nodes.set(node.index, node);
      add(node.children);
    }
  };
  add(treeFromShapes(workflowVersion?.steps ?? []));
  return nodes;
}

/** Reads a page of events. A step is the same in both versions if its id is. */
async function loadPage(
  run: ComparedRunFragment,
  keyOf: (index: string) => string,
  page: { readonly after: number; readonly first: number; readonly withAnswers: boolean },
  signal: AbortSignal,
) {
  const { run: loaded } = await request(
    StepAnswersDocument,
    { id: String(run.databaseId), ...page },
    signal,
  );
  const events = loaded?.events.nodes ?? [];
  const steps = events.flatMap((event): EndedStep[] => {
    if (event.__typename !== 'StepFinished' && event.__typename !== 'ConditionEvaluated') return [];
    const { index, loopIndex, sequence } = event;
    const stepKey = keyOf(index);
    const common = {
      key: `${stepKey} ${loopIndex.join('.')}`,
      stepKey,
      index,
      loopIndex,
      sequence,
    };
    if (event.__typename === 'ConditionEvaluated')
      return [
        {
          ...common,
          outcome: String(event.result),
          statusCode: null,
          durationMs: null,
          payload: null,
        },
      ];
    const { state, statusCode, durationMs, response } = event;
    return [
      { ...common, outcome: state, statusCode, durationMs, payload: response?.payload ?? null },
    ];
  });
  return { steps, last: events.at(-1)?.sequence ?? page.after, isEnd: events.length < page.first };
}

async function loadSteps(
  run: ComparedRunFragment,
  keyOf: (index: string) => string,
  signal: AbortSignal,
): Promise<LoadedSteps> {
  const steps = new Map<string, EndedStep>();
  let after = 0;
  try {
    for (;;) {
      const page = { after, first: PAGE_SIZE, withAnswers: false };
      const { steps: loaded, last, isEnd } = await loadPage(run, keyOf, page, signal);
      for (const step of loaded) {
        // The last attempt counts, at its place.
        steps.delete(step.key);
        steps.set(step.key, step);
      }
      after = last;
      if (isEnd) return { run, steps, isCut: false, isGone: false };
      if (after >= MAX_COMPARED_EVENTS) return { run, steps, isCut: true, isGone: false };
    }
  } catch (error) {
    if (toFailure(error).code !== 'RUN_LOG_GONE') throw error;
    return { run, steps: new Map(), isCut: false, isGone: true };
  }
}

function firstOutcome(run: LoadedSteps, other: LoadedSteps): Difference | null {
  for (const step of run.steps.values()) {
    const same = other.steps.get(step.key) ?? null;
    if (same === null) return { kind: 'missing', step, other: null };
    if (same.outcome !== step.outcome || same.statusCode !== step.statusCode)
      return { kind: 'outcome', step, other: same };
  }
  for (const step of other.steps.values())
    if (!run.steps.has(step.key)) return { kind: 'missing', step: null, other: step };
  return null;
}

/** Reads the answers of both runs up to the first that differs. */
async function firstAnswer(
  run: LoadedSteps,
  other: LoadedSteps,
  keyOf: (run: ComparedRunFragment) => (index: string) => string,
  signal: AbortSignal,
): Promise<Difference | null> {
  const sides = [run, other].map((side) => ({
    ...side,
    answers: new Map<string, EndedStep>(),
    after: 0,
    isEnd: false,
  }));
  const [left, right] = sides;
  if (left === undefined || right === undefined) return null;
  while (sides.some(({ isEnd }) => !isEnd)) {
    for (const side of sides) {
      if (side.isEnd) continue;
      const page = { after: side.after, first: ANSWERS_PAGE_SIZE, withAnswers: true };
      const { steps, last, isEnd } = await loadPage(side.run, keyOf(side.run), page, signal);
      for (const step of steps) side.answers.set(step.key, step);
      side.after = last;
      side.isEnd = isEnd || last >= MAX_COMPARED_EVENTS;
    }
    for (const step of left.answers.values()) {
      const same = right.answers.get(step.key);
      if (same !== undefined && same.payload !== step.payload)
        return { kind: 'answer', step, other: same };
    }
  }
  return null;
}

/** Compares what two runs did, as far as it is stored. */
export async function compareRuns(
  run: ComparedRunFragment,
  other: ComparedRunFragment,
  signal: AbortSignal,
): Promise<Comparison> {
  const hasIds = run.workflowVersion !== null && other.workflowVersion !== null;
  const keyOf = (side: ComparedRunFragment): ((index: string) => string) => {
    const nodes = nodesOf(side);
    return (index) => {
      const node = hasIds ? nodes.get(index) : undefined;
      return (node === undefined ? null : stepIdOf(node)) ?? index;
    };
  };
  const [left, right] = await Promise.all([
    loadSteps(run, keyOf(run), signal),
    loadSteps(other, keyOf(other), signal),
  ]);
  const isComparable = !left.isGone && !right.isGone;
  return {
    run: left,
    other: right,
    outcome: isComparable ? firstOutcome(left, right) : null,
    answer:
      isComparable && run.logging && other.logging
        ? await firstAnswer(left, right, keyOf, signal)
        : null,
  };
}
