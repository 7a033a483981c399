import { EngineError } from '../errors';
import type { RunLog } from '../events';
import type { PlanNode } from '../plan/plan';
import { describeEmpty } from '../reference/empty-reference';
import type { EmptyReference } from '../reference/empty-reference';
import { printReference, printWebhookParameter } from '../reference/reference';
import type { Reference, WebhookParameter } from '../reference/reference';
import type { Scope } from '../reference/scope';

/** Maximum number of warnings of a run: a workflow has thousands of references. */
const MAX_WARNINGS = 100;

/**
 * Collects the references of a run that find nothing, each of a step once, and ends steps that
 * demand their values.
 */
export class EmptyReferences {
  /** The step that is executed. */
  current: PlanNode | null = null;
  /** Warnings that are not emitted yet. */
  private pending: RunLog[] = [];
  /** References by step, and their paths: a step may have several references with one path. */
  private readonly reported = new Map<PlanNode, Set<Reference | string>>();
  private count = 0;

  get isEmpty(): boolean {
    return this.pending.length === 0;
  }

  take(): readonly RunLog[] {
    const warnings = this.pending;
    this.pending = [];
    return warnings;
  }

  /** @throws EngineError REFERENCE_EMPTY */
  add(reference: Reference, scope: Scope): void {
    const { current } = this;
    if (current === null) return;
    if (current.kind === 'method' && current.required) {
      const empty = describeEmpty(reference, scope);
      throw required(printReference(reference), empty?.reason ?? 'its value is null', empty?.keys);
    }
    if (this.count >= MAX_WARNINGS) return;
    const reported = this.reported.get(current) ?? new Set();
    this.reported.set(current, reported);
    // Describing a reference is slow, and a loop may have 100,000 iterations.
    if (reported.has(reference)) return;
    const empty = describeEmpty(reference, scope);
    // Not remembered: in a later iteration the reference may find less.
    if (empty === null) return;
    reported.add(reference);
    if (reported.has(empty.path)) return;
    reported.add(empty.path);
    this.count += 1;
    this.pending.push({
      kind: 'RunLog',
      level: 'WARN',
      stepId: current.stepId,
      index: current.index,
      loopIndex: scope.loops.map(({ turn }) => turn),
      code: 'REFERENCE_EMPTY',
      path: empty.path,
      keys: [...empty.keys],
      message: `${empty.path} is empty, so that null is used: ${reasonOf(empty)}`,
    });
  }

  /** @throws EngineError REFERENCE_EMPTY */
  addParameter(parameter: WebhookParameter): void {
    if (this.current?.kind === 'method' && this.current.required)
      throw required(printWebhookParameter(parameter), 'the run was started without it');
  }
}

const reasonOf = ({ reason, keys }: Pick<EmptyReference, 'reason' | 'keys'>): string =>
  keys.length === 0 ? `${reason}.` : `${reason}; there are ${keys.join(', ')}.`;

const required = (path: string, reason: string, keys: readonly string[] = []): EngineError =>
  new EngineError(
    'REFERENCE_EMPTY',
    `The step demands its values, and ${path} is empty: ${reasonOf({ reason, keys })}`,
  );
