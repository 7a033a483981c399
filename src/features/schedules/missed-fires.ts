/** Policies for times at which a schedule was due and no process was running. */
export const MISSED_FIRES = {
  ONCE: 'One run makes up for all of them, as soon as a process is there.',
  SKIP: 'They are left out.',
} as const;

export type MissedFiresName = keyof typeof MISSED_FIRES;

export const MISSED_FIRES_NAMES = Object.keys(MISSED_FIRES) as [
  MissedFiresName,
  ...MissedFiresName[],
];

/** Used if a schedule does not specify it. */
export const DEFAULT_MISSED_FIRES: MissedFiresName = 'ONCE';
