import type { StoreOptions } from '../open-store';

/** Start parameters of the worker. */
export interface WorkerStart {
  readonly options: StoreOptions;
  readonly exitMemory: SharedArrayBuffer;
  readonly changeMemory: SharedArrayBuffer;
  readonly spaceMemory: SharedArrayBuffer;
}

export type Call =
  { readonly call: 'backup'; readonly targetDir: string } | { readonly call: 'close' };

export type Request = Call & { readonly id: number };

export type Answer =
  | { readonly kind: 'ready'; readonly uri: string }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: number }
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'done'; readonly id: number; readonly error?: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly message: string;
      readonly detail?: Record<string, unknown>;
    };
