import type { PlainError } from '../errors/carried-error';

export interface ContainedLimits {
  /** What a task may take on top of what its process needs itself. */
  readonly memoryBytes: number;
  /** How long a task may hold its process without coming back, ms of processor time. */
  readonly stallMs: number;
}

export type ToContained =
  | { readonly kind: 'open'; readonly limits: ContainedLimits }
  | { readonly kind: 'work'; readonly task: string; readonly input: unknown };

/** `keptBytes`: how much more memory the process has than before its first task. */
export type FromContained =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly value: unknown }
  | { readonly kind: 'done'; readonly output: unknown; readonly keptBytes: number }
  | { readonly kind: 'refused'; readonly error: PlainError; readonly keptBytes: number };
