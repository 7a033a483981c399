import type { ScriptErrorCode } from './script-error';

/** What the thread of a sandbox is told when it is started. */
export interface SandboxLimits {
  /** For one script. */
  readonly timeoutMs: number;
  /** For all that is in the sandbox. */
  readonly memoryBytes: number;
}

/** A script for the sandbox. */
export interface SandboxTask {
  readonly code: string;
  readonly variables: readonly (readonly [name: string, json: string])[];
}

export type SandboxAnswer =
  { readonly json: string } | { readonly code: ScriptErrorCode; readonly message: string };

/** `ready` once, then an answer for each task. */
export type FromSandbox =
  { readonly kind: 'ready' } | { readonly kind: 'answer'; readonly answer: SandboxAnswer };
