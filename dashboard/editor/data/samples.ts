import { computed, signal } from '@preact/signals';

/** The answer of a step in the last test or run, or one that a user gave. */
export interface Sample {
  readonly stepId: string;
  readonly at: string;
  readonly source: 'TEST' | 'RUN' | 'PINNED' | 'TYPED';
  readonly status: number | null;
  /** The body as JSON, or as text. */
  readonly body: unknown;
}

/** The samples of the steps of a workflow. */
export class Samples {
  readonly list = signal<readonly Sample[]>([]);
  readonly byStep = computed(
    () => new Map(this.list.value.map((sample) => [sample.stepId, sample])),
  );
}
