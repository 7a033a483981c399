/** Why runs are QUEUED. */
export const WAIT_REASONS = {
  CAPACITY: 'The run is in the queue and starts as soon as the limits of concurrent runs allow it.',
  OTHER_RUNS: 'The run starts when the other runs of its schedule have ended.',
  PROCESS_START: 'The process that will execute the run is starting.',
} as const satisfies Record<string, string>;

export type WaitReason = keyof typeof WAIT_REASONS;

export interface RunWait {
  readonly reason: WaitReason;
  /** A sentence for users. */
  readonly message: string;
}
