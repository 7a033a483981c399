import type { PlanNode } from '../plan/plan';

/** A method or operator that has begun. */
export interface CurrentStep {
  readonly node: PlanNode;
  /** Iterations (from 0) of the enclosing loops, outermost first. */
  readonly loopIndex: number[];
  /** 1 for the first attempt. */
  attempt: number;
}
