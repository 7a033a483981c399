import { request } from '../../api/request';
import { DeleteSchedulesDocument } from '../../generated/operations';
import type { ScheduleRowFragment } from '../../generated/operations';
import { Action } from '../../parts/action';
import { DeleteSelected } from '../../parts/delete-records';
import { throwUserErrors } from '../../parts/form';
import { offerToEnable, setEnabled } from './undo-disable';

/** Changes of selected schedules, if the user has the permissions. */
export function ScheduleActions({
  schedules,
  onChange,
}: {
  schedules: readonly ScheduleRowFragment[];
  onChange: () => void;
}) {
  const ids = schedules.map(({ id }) => id);
  const enable = async (enabled: boolean): Promise<void> => {
    await setEnabled(ids, enabled);
    onChange();
    if (!enabled)
      offerToEnable(
        schedules.filter((schedule) => schedule.enabled),
        onChange,
      );
  };
  const remove = async (): Promise<void> => {
    const { schedulesDelete } = await request(DeleteSchedulesDocument, { ids });
    throwUserErrors(schedulesDelete.userErrors);
    onChange();
  };
  return (
    <>
      {schedules.every(({ viewerCan }) => viewerCan.update) ? (
        <>
          <Action icon="play" text="Enable" run={() => enable(true)} />
          <Action icon="stop" text="Disable" run={() => enable(false)} />
        </>
      ) : null}
      {schedules.every(({ viewerCan }) => viewerCan.delete) ? (
        <DeleteSelected count={ids.length} nouns={['schedule', 'schedules']} remove={remove} />
      ) : null}
    </>
  );
}
