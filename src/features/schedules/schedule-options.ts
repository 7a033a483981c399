/** Policies for times at which a schedule was due and no process was running. */
export const MISSED_FIRES = {
  ONCE: 'One run makes up for all of them, as soon as a process is running.',
  SKIP: 'They are skipped.',
} as const;

export type MissedFiresName = keyof typeof MISSED_FIRES;

export const MISSED_FIRES_NAMES = Object.keys(MISSED_FIRES) as [
  MissedFiresName,
  ...MissedFiresName[],
];

export const DEFAULT_MISSED_FIRES: MissedFiresName = 'ONCE';

/** What happens when a schedule is due and another run of it has not ended. */
export const OVERLAP_POLICIES = {
  ALLOW: 'Another run is queued, unless the last run that was due is still waiting to start.',
  SKIP: 'No run is queued: this time is skipped.',
  QUEUE:
    'A run is queued that starts when the others have ended. At most one waits: later times are skipped.',
} as const;

export type OverlapPolicyName = keyof typeof OVERLAP_POLICIES;

export const OVERLAP_POLICY_NAMES = Object.keys(OVERLAP_POLICIES) as [
  OverlapPolicyName,
  ...OverlapPolicyName[],
];

export const DEFAULT_OVERLAP_POLICY: OverlapPolicyName = 'SKIP';

/** Maximum characters. */
export const MAX_TITLE_LENGTH = 45;
