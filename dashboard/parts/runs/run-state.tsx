import type { RunState } from '../../generated/operations';
import { formatConstant } from '../format';
import { Icon } from '../icon';
import type { IconName } from '../icon';

const ICONS: Readonly<Record<RunState, IconName>> = {
  QUEUED: 'clock',
  RUNNING: 'play',
  SUCCEEDED: 'check',
  FAILED: 'cross',
  CANCELLED: 'slash',
  INTERRUPTED: 'bolt',
};

export const RUN_STATES = Object.keys(ICONS) as RunState[];

export const hasEnded = (state: RunState): boolean => state !== 'QUEUED' && state !== 'RUNNING';

export const isFailure = (state: RunState): boolean =>
  state === 'FAILED' || state === 'INTERRUPTED';

export function RunStateLabel({ state }: { state: RunState }) {
  return (
    <span class={`state state-${state.toLowerCase()}`}>
      <Icon name={ICONS[state]} size={13} />
      {formatConstant(state)}
    </span>
  );
}
