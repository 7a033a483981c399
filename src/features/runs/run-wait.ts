/** Why runs are QUEUED. */
export const WAIT_REASONS = {
  CAPACITY: 'As many runs go on as may, or other runs come first.',
  PROCESS_START: 'The process that will execute the run is starting.',
} as const satisfies Record<string, string>;

export type WaitReason = keyof typeof WAIT_REASONS;

/** Why a run waits. */
export interface RunWait {
  readonly reason: WaitReason;
  /** For people. */
  readonly message: string;
}
