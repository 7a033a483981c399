import type { ConnectorRecordFragment } from '../../generated/operations';
import { Icon } from '../../parts/icon';
import { Time } from '../../parts/runs/times';

/** The result of the latest check of the saved credentials. */
export function LastCheck({ check }: { check: ConnectorRecordFragment['lastCheck'] }) {
  if (check === null) return <span class="quiet">Not tested</span>;
  const isOk = check.status === '200';
  const failure = check.status === 'COMMUNICATION_FAILED' ? 'No response' : 'Refused';
  return (
    <>
      <span class={`state state-${isOk ? 'succeeded' : 'failed'}`} title={check.error ?? undefined}>
        <Icon name={isOk ? 'check' : 'cross'} size={13} />
        {isOk ? 'Accepted' : failure}
      </span>{' '}
      <span class="quiet nowrap">
        <Time form="relative" at={check.at} />
      </span>
    </>
  );
}
