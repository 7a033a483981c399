import { copiedInput } from '../../../engine';
import type {
  PreviewedValue,
  PreviewKind,
  PreviewPlace,
  PreviewProblem,
  Sample,
} from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import type { Contained } from '../../../platform/contained/tasks';
import { BadInput } from '../../../platform/errors/errors';
import { WorkQueue } from '../../../platform/queues';
import { ScriptError } from '../../../platform/scripts';
import type { Script, Scripts } from '../../../platform/scripts';
import { partIdOf } from '../../workflows/workflow-document.service';
import type { WorkflowService } from '../../workflows/workflow.service';
import type { PreviewTasks } from './preview-tasks';
import { stepNotFound } from './sample.service';
import type { SampleService } from './sample.service';

declare module '../../../platform/context' {
  interface Services {
    previews: PreviewService;
  }
}

/** A step in the given iterations of the loops around it. */
export interface PreviewedStep {
  readonly workflowId: number;
  readonly stepId: string;
  readonly iteration?: readonly number[] | null;
}

export interface PreviewedScript {
  readonly inputs: readonly (readonly [name: string, json: string])[];
  /** Null: there is no result. */
  readonly result: string | null;
  readonly problem: PreviewProblem | null;
  /** Null: no script was executed. */
  readonly durationMs: number | null;
}

const MAX_TEXTS = 200;
const MAX_CHARACTERS = 256 * 1024;
/** Scripts that are tried at the same time: each has a thread. */
const SCRIPTS = { concurrency: 2, capacity: 20 };
const COLOR = /#[0-9a-f]{6}/gi;
const LINE = /\bline (\d{1,9})\b/i;

/** Evaluates parts of steps on samples, as a run would. Nothing is sent. */
export class PreviewService {
  private readonly queue = new WorkQueue(SCRIPTS);

  constructor(
    private readonly deps: {
      readonly workflows: Pick<WorkflowService, 'getWithDocument'>;
      readonly samples: Pick<SampleService, 'list'>;
      readonly contained: Contained<PreviewTasks>;
      readonly scripts: Scripts;
    },
  ) {}

  close(): void {
    this.deps.scripts.close();
  }

  /**
   * Evaluates texts of a step.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   * @throws BadInput LIST_TOO_LONG, TEXT_TOO_LONG
   */
  async values(
    actor: Actor,
    step: PreviewedStep,
    kind: PreviewKind,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly PreviewedValue[]> {
    if (texts.length > MAX_TEXTS)
      throw new BadInput('LIST_TOO_LONG', `At most ${MAX_TEXTS} texts are evaluated at once.`, {
        path: ['texts'],
      });
    requireShort(texts, 'texts');
    const { place, size } = await this.placeOf(actor, step, texts);
    return this.deps.contained.run('previewTexts', { place, kind, texts }, { size, signal });
  }

  /**
   * Executes the script of a field binding.
   * @throws NotFound CONNECTION_NOT_FOUND, STEP_NOT_FOUND
   * @throws BadInput TEXT_TOO_LONG
   */
  async script(
    actor: Actor,
    step: PreviewedStep,
    binding: object,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<PreviewedScript> {
    const text = JSON.stringify(binding);
    requireShort([text], 'binding');
    const { place, size } = await this.placeOf(actor, step, [text]);
    const { inputs, script, problem } = await this.deps.contained.run(
      'previewBinding',
      { place, binding: JSON.parse(text) as unknown },
      { size, signal },
    );
    if (problem !== null || script === null)
      return {
        inputs,
        result: problem === null ? copiedInput(inputs) : null,
        problem,
        durationMs: null,
      };
    return { inputs, ...(await this.queue.run(() => this.execute(script, signal), signal)) };
  }

  private async execute(
    script: Script,
    signal: AbortSignal,
  ): Promise<Omit<PreviewedScript, 'inputs'>> {
    using runner = this.deps.scripts.open();
    await runner.ready([script.language], signal);
    const started = performance.now();
    const durationMs = (): number => Math.round((performance.now() - started) * 100) / 100;
    try {
      const result = await runner.evaluate(script, signal);
      return { result, problem: null, durationMs: durationMs() };
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      const { code, message } = error;
      const line = LINE.exec(message)?.[1];
      const problem = {
        code,
        message,
        line: line === undefined ? null : Number(line),
        column: null,
      };
      return { result: null, problem, durationMs: durationMs() };
    }
  }

  /** Only samples that the texts, or the loops of the workflow, name are sent to the process. */
  private async placeOf(
    actor: Actor,
    { workflowId, stepId, iteration }: PreviewedStep,
    texts: readonly string[],
  ): Promise<{ readonly place: PreviewPlace; readonly size: number }> {
    const { document } = await this.deps.workflows.getWithDocument(actor, workflowId);
    const { fromConnector, fieldBinding } = document;
    const { methods, operators } = fromConnector;
    if (![...methods, ...operators].some((step) => partIdOf(step) === stepId))
      throw stepNotFound(stepId);
    const colors = new Map(
      methods.map((method) => [partIdOf(method), String(method.color ?? '').toUpperCase()]),
    );
    const loops = operators.map(({ expression, condition }) =>
      JSON.stringify([expression, condition]),
    );
    const named = [...texts, ...loops].flatMap((text) => text.toUpperCase().match(COLOR) ?? []);
    const samples = new Map<string, Sample>();
    let size = texts.reduce((sum, text) => sum + text.length, 0);
    for (const { stepId: id, request, response } of await this.deps.samples.list(
      actor,
      workflowId,
      document,
    )) {
      const color = colors.get(id) ?? '';
      const uses = named.filter((one) => one === color).length;
      if (uses === 0) continue;
      samples.set(color, { request, response });
      size += uses * ((request?.payload.length ?? 0) + (response?.payload.length ?? 0));
    }
    const snapshot = { fromConnector, fieldBinding };
    return { place: { snapshot, stepId, samples, iteration: iteration ?? [] }, size };
  }
}

function requireShort(texts: readonly string[], field: string): void {
  if (texts.reduce((sum, text) => sum + text.length, 0) > MAX_CHARACTERS)
    throw new BadInput(
      'TEXT_TOO_LONG',
      `What is evaluated at once has at most ${MAX_CHARACTERS} characters together.`,
      { path: [field] },
    );
}
