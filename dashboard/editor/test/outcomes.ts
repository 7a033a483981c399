import { computed, signal } from '@preact/signals';
import type { IconName } from '../../parts/icon';
import type { RunState } from '../../generated/operations';
import type { SavedWorkflow } from '../document';
import type { RunResults, StepResults } from '../../run/run-results';

/** What a block shows of the last test or run of its step. */
export interface StepOutcome {
  readonly state: RunState;
  readonly icon: IconName;
  readonly text: string;
}

/** The outcomes of the steps in the test that is followed. */
export class StepOutcomes {
  /** Id of the followed test; null if none is. */
  readonly runId = signal<string | null>(null);
  /** The events of the test, in a new object for each change, so that it is noticed. */
  readonly test = signal<{ readonly results: RunResults } | null>(null);
  private idsByIndex: ReadonlyMap<string, string> = new Map();

  readonly byStep = computed(() => {
    const outcomes = new Map<string, StepOutcome>();
    for (const step of this.test.value?.results.steps.values() ?? []) {
      const id = this.idsByIndex.get(step.index);
      const outcome = outcomeOf(step);
      if (id !== undefined && outcome !== null) outcomes.set(id, outcome);
    }
    return outcomes;
  });

  /** @param steps the steps of the version that is tested */
  begin(runId: string, steps: SavedWorkflow['steps']): void {
    this.idsByIndex = new Map(
      steps.flatMap(({ index, stepId }) => (index === null ? [] : [[index, stepId]])),
    );
    this.test.value = null;
    this.runId.value = runId;
  }

  publish(results: RunResults): void {
    this.test.value = { results };
  }

  end(): void {
    this.test.value = null;
    this.runId.value = null;
  }

  /** The results of a step in the test. */
  resultsOf(stepId: string): StepResults | undefined {
    return [...(this.test.value?.results.steps.values() ?? [])].find(
      ({ index }) => this.idsByIndex.get(index) === stepId,
    );
  }
}

function outcomeOf({ kind, results, starts, failures }: StepResults): StepOutcome | null {
  const last = [...results.values()].at(-1);
  if (last === undefined) return null;
  const state = failures > 0 ? 'FAILED' : last.state;
  const icon = state === 'FAILED' ? 'cross' : state === 'RUNNING' ? 'play' : 'check';
  const count = starts > 1 ? `${failures > 0 ? `${failures} of ` : ''}${starts}` : null;
  if (kind === 'loop')
    return { state, icon, text: last.size === 1 ? '1 item' : `${last.size ?? 0} items` };
  if (kind === 'if')
    return {
      state,
      icon,
      text: [last.result === null ? null : String(last.result), count].filter(Boolean).join(' · '),
    };
  const status = last.statusCode === null ? null : String(last.statusCode);
  return {
    state,
    icon,
    text: [status ?? (state === 'FAILED' ? 'failed' : null), count].filter(Boolean).join(' · '),
  };
}
