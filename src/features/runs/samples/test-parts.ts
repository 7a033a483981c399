import { validateWithReads } from '../../../engine';
import type { ReadReference, Sample } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import { BadInput, Refused } from '../../../platform/errors/errors';
import { partIdOf } from '../../workflows/workflow-document.service';
import type { WorkflowDocument } from '../../workflows/workflow-document.service';
import type { WorkflowService } from '../../workflows/workflow.service';
import type { RunStart } from '../queue/run-starter';
import { stepNotFound } from './sample.service';
import type { SampleService, StepSample } from './sample.service';

/** The part of a workflow to test. */
export interface TestPart {
  /** The test ends after this step. */
  readonly until?: string | null;
  /** Only this method is executed. */
  readonly only?: string | null;
}

type PreparedPart = Pick<RunStart, 'parameters' | 'more'>;

/** Prepares tests of a part of a workflow. */
export class TestParts {
  constructor(
    private readonly workflows: Pick<WorkflowService, 'getOriginal'>,
    private readonly samples: Pick<SampleService, 'list'>,
  ) {}

  /**
   * `prepare` for the current version of a workflow.
   * @throws NotFound CONNECTION_NOT_FOUND; the errors of `prepare`
   */
  async prepareSaved(actor: Actor, workflowId: number, part: TestPart): Promise<PreparedPart> {
    if (part.until == null && part.only == null) return {};
    const { document } = await this.workflows.getOriginal(workflowId);
    return this.prepare(actor, workflowId, document, part);
  }

  /**
   * Returns the fields and parameters of a run of this part.
   * @param workflowId the workflow whose samples are used; null: none
   * @throws BadInput BAD_REQUEST `until` and `only`; the only step is disabled
   * @throws NotFound STEP_NOT_FOUND
   * @throws Refused  SAMPLE_MISSING the step, or a loop or condition around it, refers to a step
   * without a sample
   */
  async prepare(
    actor: Actor,
    workflowId: number | null,
    document: WorkflowDocument,
    { until, only }: TestPart,
  ): Promise<PreparedPart> {
    const { methods, operators } = document.fromConnector;
    if (until != null && only != null)
      throw new BadInput('BAD_REQUEST', 'Give `until` or `only`, not both.', { path: ['only'] });
    if (until != null) {
      if (![...methods, ...operators].some((step) => partIdOf(step) === until))
        throw stepNotFound(until, 'until');
      return { more: { until } };
    }
    if (only == null) return {};
    const method = methods.find((one) => partIdOf(one) === only);
    if (method === undefined) throw stepNotFound(only, 'only');
    const { reads, disabled } = validateWithReads(document);
    if (disabled.has(String(method.index)))
      throw new BadInput('BAD_REQUEST', 'The step is disabled: enable it to test it.', {
        path: ['only'],
      });
    const samples = workflowId === null ? [] : await this.samples.list(actor, workflowId, document);
    return {
      more: { only },
      parameters: JSON.stringify([...samplesFor(method, reads, document, samples)]),
    };
  }
}

type Method = WorkflowDocument['fromConnector']['methods'][number];

/** The samples by colour that a method and what is around it read. @throws Refused SAMPLE_MISSING */
function samplesFor(
  tested: Method,
  reads: readonly ReadReference[],
  { fromConnector }: WorkflowDocument,
  samples: readonly StepSample[],
): Map<string, Sample> {
  const byStep = new Map(samples.map((sample) => [sample.stepId, sample]));
  const read = new Map<string, Sample>();
  const missing: string[] = [];
  const [testedId, index] = [partIdOf(tested), String(tested.index)];
  const isAround = ({ step }: ReadReference): boolean => index.startsWith(`${step.index}_`);
  const colors = new Set(
    reads
      .filter((one) => one.step.stepId === testedId || isAround(one))
      .map(({ reference }) => reference.color),
  );
  for (const method of fromConnector.methods) {
    const [id, color] = [partIdOf(method), String(method.color ?? '').toUpperCase()];
    if (id === null || id === testedId || !colors.has(color)) continue;
    const { request = null, response = null } = byStep.get(id) ?? {};
    if (response === null) missing.push(String(method.name ?? method.index ?? id).slice(0, 100));
    read.set(color, { request, response });
  }
  if (missing.length > 0)
    throw new Refused(
      'SAMPLE_MISSING',
      `The step needs the answers of these steps, which have no sample: ${missing.slice(0, 20).join(', ')}. Test up to them first, or give samples.`,
      { path: ['only'] },
    );
  return read;
}
