import { computed, signal } from '@preact/signals';
import { request } from '../../api/request';
import { throwUserError } from '../../parts/action';
import { notifyFailure } from '../../parts/notices';
import {
  RemoveSampleDocument,
  SetSampleDocument,
  StepSamplesDocument,
  ValuePreviewsDocument,
} from '../../generated/operations';
import type { StepSamplePartsFragment, ValuePreviewsQuery } from '../../generated/operations';
import { isUnsavedId } from '../document';

export type Sample = StepSamplePartsFragment;
export type Preview = ValuePreviewsQuery['valuePreview'][number];
type PreviewKind = 'TEXT' | 'EXPRESSION';

/** Delay before texts are evaluated, so that one request evaluates all fields of a step, ms. */
const PREVIEW_DELAY_MS = 50;

/** Returns the body of the answer of a sample: JSON, or text. */
export const bodyOf = ({ answer }: Sample): unknown => answer?.body ?? answer?.bodyText ?? null;

const previewKey = (stepId: string, kind: PreviewKind, text: string): string =>
  JSON.stringify([stepId, kind, text]);

/** The samples of the steps of a workflow, and values of texts with them. */
export class Samples {
  readonly list = signal<readonly Sample[]>([]);
  readonly byStep = computed(
    () => new Map(this.list.value.map((sample) => [sample.stepId, sample])),
  );
  private readonly previews = signal<ReadonlyMap<string, Preview>>(new Map());
  private readonly requested = new Set<string>();
  private queue: { readonly stepId: string; readonly kind: PreviewKind; readonly text: string }[] =
    [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly workflowId: string) {
    void this.load();
  }

  /** Reads the samples again, after a test or a change of one. */
  async load(): Promise<void> {
    try {
      const { workflow } = await request(StepSamplesDocument, { id: this.workflowId });
      this.adopt(workflow?.samples ?? []);
    } catch (error) {
      notifyFailure(error);
    }
  }

  /** Stores the last answer of a step as its sample, or the given one. */
  async store(stepId: string, sample: { answer?: unknown; status?: number }): Promise<void> {
    const { workflowId } = this;
    const { sampleSet } = await request(SetSampleDocument, {
      input: { workflowId, stepId, ...sample },
    });
    throwUserError(sampleSet.userErrors);
    this.adopt(sampleSet.workflow?.samples ?? []);
  }

  async remove(stepId: string): Promise<void> {
    const { workflowId } = this;
    const { sampleRemove } = await request(RemoveSampleDocument, { input: { workflowId, stepId } });
    throwUserError(sampleRemove.userErrors);
    this.adopt(sampleRemove.workflow?.samples ?? []);
  }

  /** Returns the value of a text with the samples, as soon as the service has evaluated it. */
  previewOf(stepId: string, kind: PreviewKind, text: string): Preview | null {
    const key = previewKey(stepId, kind, text);
    if (!this.requested.has(key) && !isUnsavedId(stepId) && this.list.value.length > 0) {
      this.requested.add(key);
      this.queue.push({ stepId, kind, text });
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = setTimeout(() => this.evaluate(), PREVIEW_DELAY_MS);
    }
    return this.previews.value.get(key) ?? null;
  }

  private adopt(samples: readonly Sample[]): void {
    this.requested.clear();
    this.previews.value = new Map();
    this.list.value = samples;
  }

  private evaluate(): void {
    const groups = Map.groupBy(this.queue, ({ stepId, kind }) => `${kind} ${stepId}`);
    this.queue = [];
    for (const group of groups.values()) {
      const [first] = group;
      if (first === undefined) continue;
      const { stepId, kind } = first;
      const texts = group.map(({ text }) => text);
      request(ValuePreviewsDocument, { workflowId: this.workflowId, stepId, kind, texts }).then(
        ({ valuePreview }) => {
          const previews = new Map(this.previews.value);
          texts.forEach((text, at) => {
            const preview = valuePreview[at];
            if (preview !== undefined) previews.set(previewKey(stepId, kind, text), preview);
          });
          this.previews.value = previews;
        },
        // Values are an aid: without them the field works as before.
        () => undefined,
      );
    }
  }
}
