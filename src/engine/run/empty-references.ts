import { EngineError } from '../errors';
import type { RunLog } from '../events';
import type { PlanNode } from '../plan/plan';
import { describeEmpty } from '../reference/empty-reference';
import type { EmptyReference } from '../reference/empty-reference';
import { printReference, printWebhookParameter } from '../reference/reference';
import type { Reference, WebhookParameter } from '../reference/reference';
import type { Scope } from '../reference/scope';
import type { CurrentStep } from './current-step';

/** Maximum number of warnings of a run: a workflow has thousands of references. */
const MAX_WARNINGS = 100;

/**
 * Collects the references of a run that find nothing, each of a step once, and ends steps that
 * demand their values.
 */
export class EmptyReferences {
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
  add(reference: Reference, current: CurrentStep | null, scope: Scope): void {
    if (current === null) return;
    const { node, loopIndex } = current;
    if (demandsValues(node)) {
      const empty = describeEmpty(reference, scope);
      throw required(printReference(reference), empty?.reason ?? 'its value is null', empty?.keys);
    }
    if (this.count >= MAX_WARNINGS) return;
    const reported = this.reported.get(node) ?? new Set();
    this.reported.set(node, reported);
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
      stepId: node.stepId,
      index: node.index,
      loopIndex,
      code: 'REFERENCE_EMPTY',
      path: empty.path,
      keys: [...empty.keys],
      message: `${empty.path} is empty, so that null is used: ${reasonOf(empty)}`,
    });
  }

  /** @throws EngineError REFERENCE_EMPTY */
  addParameter(parameter: WebhookParameter, current: CurrentStep | null): void {
    if (current !== null && demandsValues(current.node))
      throw required(printWebhookParameter(parameter), 'the run was started without it');
  }
}

const demandsValues = (node: PlanNode): boolean => node.kind === 'method' && node.required;

const reasonOf = ({ reason, keys }: Pick<EmptyReference, 'reason' | 'keys'>): string =>
  keys.length === 0 ? `${reason}.` : `${reason}; there are ${keys.join(', ')}.`;

const required = (path: string, reason: string, keys: readonly string[] = []): EngineError =>
  new EngineError(
    'REFERENCE_EMPTY',
    `The step demands its values, and ${path} is empty: ${reasonOf({ reason, keys })}`,
  );
