import type { PlainError } from '../errors/carried-error';

export interface ContainedLimits {
  /** Memory that a task may use in addition to the baseline of its process. */
  readonly memoryBytes: number;
  /** How long a task may block the event loop of its process, ms of CPU time. */
  readonly stallMs: number;
}

export type ToContained =
  | { readonly kind: 'open'; readonly limits: ContainedLimits }
  | { readonly kind: 'work'; readonly task: string; readonly input: unknown };

/** `keptBytes`: memory that the process retains in addition to its size before the first task. */
export type FromContained =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly value: unknown }
  | { readonly kind: 'done'; readonly output: unknown; readonly keptBytes: number }
  | { readonly kind: 'refused'; readonly error: PlainError; readonly keptBytes: number };
