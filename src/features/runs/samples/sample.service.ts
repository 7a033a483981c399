import type { RunError, Sample } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import { NotFound, Refused } from '../../../platform/errors/errors';
import type { Core } from '../../../platform/core';
import { printMasked, Redactor, RuleMask } from '../../../platform/redaction';
import type { AuditService } from '../../audit/audit.service';
import type { SampleRecord, SampleRecords } from '../../workflows/samples/sample-records';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import { partIdOf } from '../../workflows/workflow-document.service';
import type { WorkflowDocument } from '../../workflows/workflow-document.service';
import type { WorkflowRecord } from '../../workflows/workflow.model';
import type { WorkflowService } from '../../workflows/workflow.service';
import type { WorkflowWriter } from '../../workflows/saving/workflow-writer';
import type { LoggedSample, LoggedSamples } from './logged-samples';

declare module '../../../platform/context' {
  interface Services {
    samples: SampleService;
  }
}

/** Where the answer of a sample comes from. */
export type SampleSourceName = 'TEST' | 'RUN' | SampleRecord['source'];

/** What a step sent and received, for editing the steps after it. */
export interface StepSample extends Sample {
  readonly stepId: string;
  readonly at: Date;
  readonly source: SampleSourceName;
  /** Iterations of the enclosing loops in which it was recorded, outermost first. */
  readonly iteration: readonly number[];
  readonly runId: number | null;
  readonly error: RunError | null;
}

/** A typed answer; undefined: the last one, as it is now. */
export interface NewSample {
  readonly stepId: string;
  readonly answer?: unknown;
  readonly status?: number | null;
}

const MAX_SAMPLE_BYTES = 256 * 1024;
const MAX_SAMPLES = 500;
const DEFAULT_STATUS = 200;

/** Samples of the steps of workflows: stored ones, and else the last exchange in a log. */
export class SampleService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly workflows: WorkflowService;
      readonly writing: Pick<WorkflowWriter, 'claim' | 'announce'>;
      readonly records: SampleRecords;
      readonly logged: LoggedSamples;
    },
  ) {}

  /** The samples of a workflow in the order of its steps, then those of drafts. */
  async list(
    actor: Actor,
    workflowId: number,
    document: Pick<WorkflowDocument, 'fromConnector'>,
  ): Promise<StepSample[]> {
    const stepIds = stepIdsOf(document);
    const stored = new Map(
      (await this.deps.records.of(workflowId)).map((record) => [record.stepId, fromRecord(record)]),
    );
    const others = new Set(stepIds.filter((stepId) => !stored.has(stepId)));
    const logged = await this.deps.logged.read(actor, workflowId, others);
    return [...new Set([...stepIds, ...logged.keys()])].flatMap((stepId) => {
      const ofLog = logged.get(stepId);
      return stored.get(stepId) ?? (ofLog ? fromLog(ofLog) : []);
    });
  }

  /**
   * Stores the sample of a step in place of the one from logs. It is masked like a log; users who
   * may read the workflow see it.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   * @throws Refused  SAMPLE_MISSING there is no answer to pin; SAMPLE_STATUS_INVALID;
   * SAMPLE_TOO_LARGE; LIST_TOO_LONG
   */
  async set(actor: Actor, workflowId: number, sample: NewSample): Promise<WorkflowRecord> {
    const { core, workflows, writing, records } = this.deps;
    const { stepId, status } = sample;
    if (status != null && (status < 100 || status > 599))
      throw new Refused('SAMPLE_STATUS_INVALID', 'The status is one from 100 to 599.', {
        path: ['status'],
      });
    const stepIds = stepIdsOf((await workflows.getOriginal(workflowId)).document);
    if (!stepIds.includes(stepId)) throw stepNotFound(stepId);
    const { source, iteration, ...content } =
      sample.answer === undefined
        ? await this.lastAnswer(actor, workflowId, sample)
        : await this.typed(workflowId, sample);
    const json = JSON.stringify(content);
    requireSmall(json);
    const [savedAt, steps] = [core.clock.now(), new Set(stepIds)];
    return core.store.transaction(async (tx) => {
      const workflow = await writing.claim(workflowId, tx, ['workflowId']);
      const others = (await records.stepIds(workflowId, tx)).filter((id) => id !== stepId);
      // Samples of removed steps are kept for an undo, as long as there is room.
      const unused = others.length < MAX_SAMPLES ? [] : others.filter((id) => !steps.has(id));
      if (others.length - unused.length >= MAX_SAMPLES)
        throw new Refused('LIST_TOO_LONG', `A workflow has at most ${MAX_SAMPLES} samples.`, {
          path: ['stepId'],
        });
      if (unused.length > 0) await records.remove(workflowId, unused, tx);
      await records.put(
        { workflowId, stepId, source, iteration: [...iteration], json, savedAt },
        tx,
      );
      const target = { type: 'Workflow', id: workflowId } as const;
      await this.deps.audit.record(
        actor,
        'workflow.sample-set',
        target,
        null,
        { stepId, source },
        tx,
      );
      writing.announce(workflowId, 'updated', tx);
      return workflow;
    });
  }

  /**
   * Removes the stored sample of a step, after which the one from logs is used.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Refused  SAMPLE_MISSING there is no stored sample
   */
  async remove(actor: Actor, workflowId: number, stepId: string): Promise<WorkflowRecord> {
    const { core, writing, records } = this.deps;
    return core.store.transaction(async (tx) => {
      const workflow = await writing.claim(workflowId, tx, ['workflowId']);
      if ((await records.remove(workflowId, [stepId], tx)) === 0)
        throw new Refused('SAMPLE_MISSING', 'No sample of this step is stored.', {
          path: ['stepId'],
        });
      const target = { type: 'Workflow', id: workflowId } as const;
      await this.deps.audit.record(actor, 'workflow.sample-remove', target, { stepId }, null, tx);
      writing.announce(workflowId, 'updated', tx);
      return workflow;
    });
  }

  private async lastAnswer(
    actor: Actor,
    workflowId: number,
    { stepId, status }: NewSample,
  ): Promise<Sample & Pick<SampleRecord, 'source' | 'iteration'>> {
    const logged = await this.deps.logged.read(actor, workflowId, new Set([stepId]));
    const { request = null, response, iteration = [] } = logged.get(stepId) ?? {};
    if (!response)
      throw new Refused(
        'SAMPLE_MISSING',
        'There is no answer of this step to pin: test the workflow first, or give an answer.',
        { path: ['stepId'] },
      );
    const pinned = { ...response, status: status ?? response.status };
    return { source: 'PINNED', iteration, request, response: pinned };
  }

  private async typed(
    workflowId: number,
    { answer, status }: NewSample,
  ): Promise<Sample & Pick<SampleRecord, 'source' | 'iteration'>> {
    // An answer that is too large is rejected, not cut.
    requireSmall(JSON.stringify(answer));
    const isText = typeof answer === 'string';
    const contentType = isText ? 'text/plain' : 'application/json';
    const redactor = new Redactor();
    const rules = new RuleMask((await this.deps.workflows.rulesOfLog(testKeyOf(workflowId))) ?? []);
    const masked = isText
      ? redactor.mask(answer)
      : printMasked(answer, MAX_SAMPLE_BYTES, inTexts(redactor), () => null).text;
    const response = {
      status: status ?? DEFAULT_STATUS,
      durationMs: 0,
      header: { 'content-type': contentType },
      payload: rules.body({ text: masked, contentType, isCut: false }),
    };
    return { source: 'TYPED', iteration: [], request: null, response };
  }
}

function requireSmall(json: string): void {
  if (Buffer.byteLength(json) > MAX_SAMPLE_BYTES)
    throw new Refused(
      'SAMPLE_TOO_LARGE',
      `A sample has at most ${MAX_SAMPLE_BYTES / 1024} KiB, with its request and headers.`,
      { path: ['answer'] },
    );
}

const inTexts = (redactor: Redactor) => ({
  mask: (text: string, isCut: boolean): string => redactor.mask(text, isCut),
  hides: (): boolean => false,
});

export const stepNotFound = (stepId: string, field = 'stepId'): NotFound =>
  new NotFound(
    'STEP_NOT_FOUND',
    `The workflow has no such step: ${JSON.stringify(stepId.slice(0, 100))}.`,
    { path: [field] },
  );

const stepIdsOf = ({ fromConnector }: Pick<WorkflowDocument, 'fromConnector'>): string[] =>
  fromConnector.methods.flatMap((method) => partIdOf(method) ?? []);

const fromRecord = ({ stepId, source, iteration, json, savedAt }: SampleRecord): StepSample => ({
  stepId,
  at: savedAt,
  source,
  iteration,
  runId: null,
  error: null,
  ...(JSON.parse(json) as Sample),
});

const fromLog = ({ run, ...sample }: LoggedSample): StepSample => ({
  ...sample,
  source: run.test ? 'TEST' : 'RUN',
  runId: run._id,
});
