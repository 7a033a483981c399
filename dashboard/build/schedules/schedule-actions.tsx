import { request } from '../../api/request';
import { DeleteSchedulesDocument, EnableSchedulesDocument } from '../../generated/operations';
import type { ScheduleRowFragment } from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { DeleteSelected } from '../../parts/delete-records';
import { throwUserErrors } from '../../parts/form';

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
    const { schedulesEnable } = await request(EnableSchedulesDocument, { ids, enabled });
    throwUserError(schedulesEnable.userErrors);
    onChange();
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
