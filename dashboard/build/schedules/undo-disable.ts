import { request } from '../../api/request';
import { EnableSchedulesDocument } from '../../generated/operations';
import { throwUserError } from '../../parts/action';
import { formatQuantity, isolateDirection } from '../../parts/format';
import { notify, notifyFailure } from '../../parts/notices';

/** Enables or disables schedules. @throws Failure */
export async function setEnabled(ids: readonly string[], enabled: boolean): Promise<void> {
  const { schedulesEnable } = await request(EnableSchedulesDocument, { ids: [...ids], enabled });
  throwUserError(schedulesEnable.userErrors);
}

/** Says that schedules were disabled, with a button that enables them again. */
export function offerToEnable(
  schedules: readonly { readonly id: string; readonly title: string }[],
  reload: () => void,
): void {
  const [first] = schedules;
  if (first === undefined) return;
  const enable = (): void => {
    setEnabled(
      schedules.map(({ id }) => id),
      true,
    )
      .catch(notifyFailure)
      .finally(reload);
  };
  notify(
    schedules.length === 1
      ? `${isolateDirection(first.title)} is disabled.`
      : `${formatQuantity(schedules.length, 'schedule is', 'schedules are')} disabled.`,
    { action: { text: 'Undo', run: enable } },
  );
}
