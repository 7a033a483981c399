/** What happens when a schedule is due and another run of it has not ended. */
export const OVERLAP_POLICIES = {
  ALLOW: 'Another run is queued, unless the last run that was due is still waiting to start.',
  SKIP: 'No run is queued: this time is left out.',
  QUEUE:
    'A run is queued that starts when the others have ended. At most one waits: later times are left out.',
} as const;

export type OverlapPolicyName = keyof typeof OVERLAP_POLICIES;

export const OVERLAP_POLICY_NAMES = Object.keys(OVERLAP_POLICIES) as [
  OverlapPolicyName,
  ...OverlapPolicyName[],
];

/** Used for new schedules. */
export const DEFAULT_OVERLAP_POLICY: OverlapPolicyName = 'SKIP';
/** Used for schedules that were stored before there were policies. */
export const RELEASED_OVERLAP_POLICY: OverlapPolicyName = 'ALLOW';
