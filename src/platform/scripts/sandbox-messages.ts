import type { ScriptErrorCode } from './script';

/** Limits that the sandbox thread gets at start. */
export interface SandboxLimits {
  /** Timeout of one script. */
  readonly timeoutMs: number;
  /** Memory limit of the sandbox. */
  readonly memoryBytes: number;
}

export interface SandboxTask {
  readonly code: string;
  readonly variables: readonly (readonly [name: string, json: string])[];
}

export type SandboxAnswer =
  { readonly json: string } | { readonly code: ScriptErrorCode; readonly message: string };

/** `ready` once, then one answer per task. */
export type FromSandbox =
  { readonly kind: 'ready' } | { readonly kind: 'answer'; readonly answer: SandboxAnswer };
