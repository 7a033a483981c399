import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath, Problem } from '../../platform/errors/errors';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { fold } from '../../platform/text/fold';
import { cronProblems, neverDueProblems } from './cron';
import type { MissedFiresName } from './missed-fires';
import type { OverlapPolicyName } from './overlap-policy';

/** A change of a schedule; missing fields stay unchanged. */
export interface ScheduleChange {
  readonly title?: string | null;
  readonly workflowId?: number;
  /** Empty if it never fires by itself. */
  readonly cron?: string;
  readonly timeZone?: string;
  readonly enabled?: boolean;
  readonly logging?: boolean;
  readonly missedFires?: MissedFiresName;
  readonly overlapPolicy?: OverlapPolicyName;
}

/** Maximum characters. */
export const SCHEDULE_LENGTHS = { title: 45 } as const;

export const scheduleNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('SCHEDULER_NOT_FOUND', `There is no schedule ${id}.`, { path });

export const workflowMissing = (): BadInput =>
  new BadInput('BAD_REQUEST', 'A schedule needs a workflow that it runs.', {
    path: ['workflowId'],
  });

export const titleTaken = (title: string): Conflict =>
  new Conflict(
    'TITLE_ALREADY_EXISTS',
    `There is already a schedule called ${JSON.stringify(title)}.`,
    { path: ['title'] },
  );

/** The timing of a schedule after a change. */
export interface ScheduleTimes {
  readonly timeZone: string;
  readonly now: Date;
  /**
   * Whether `cron` changes. Clients send all fields with any change, and an unchanged expression
   * may have no times left.
   */
  readonly isNew: boolean;
}

/** Checks everything that needs no store. */
export function scheduleRefusals(
  { title, cron, timeZone }: ScheduleChange,
  times: ScheduleTimes,
): BadInput[] {
  const timeProblems = cronProblems(cron, timeZone);
  if (cron !== undefined && times.isNew && timeProblems.length === 0)
    timeProblems.push(...neverDueProblems(cron, times.timeZone, times.now));
  const problems = [...(title === undefined ? [] : titleProblems(title ?? '')), ...timeProblems];
  const [first] = problems;
  return first === undefined
    ? []
    : [new BadInput(first.code, 'The schedule does not fit.', { problems })];
}

function titleProblems(typed: string): Problem[] {
  const title = typed.trim();
  const problem = (message: string): Problem[] => [
    { code: 'TITLE_INVALID', path: ['title'], message },
  ];
  if (hasMoreCharacters(title, SCHEDULE_LENGTHS.title))
    return problem(`The title of a schedule has at most ${SCHEDULE_LENGTHS.title} characters.`);
  if (fold(title) === '') return problem('A schedule needs a title.');
  return isVisible(title) ? [] : problem('The title holds characters that cannot be seen.');
}
