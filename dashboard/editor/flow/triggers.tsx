import { useQuery } from '../../api/hooks';
import { hasPermission } from '../../current-user';
import { WorkflowTriggersDocument } from '../../generated/operations';
import { Icon } from '../../parts/icon';
import { Time } from '../../parts/runs/times';
import { href } from '../../router';
import type { EditSession } from '../session';

/** What starts the workflow: its schedules and webhooks, and a link to a new schedule. */
export function Triggers({ session }: { session: EditSession }) {
  return hasPermission.value('SCHEDULE:READ') ? <TriggerList session={session} /> : null;
}

function TriggerList({ session }: { session: EditSession }) {
  const { data } = useQuery(WorkflowTriggersDocument, { workflow: session.id });
  const schedules = data?.schedules.nodes ?? [];
  const { title } = session.saved.value;
  return (
    <ul class="triggers" aria-label="What starts it">
      {schedules.map(({ databaseId, title: name, enabled, nextFireTimes, webhook }) => {
        const [next] = nextFireTimes;
        return (
          <li key={databaseId}>
            <Icon name={webhook === null ? 'clock' : 'hook'} size={14} />
            <a href={href(`schedules/${databaseId}`)}>
              <bdi>{name}</bdi>
            </a>{' '}
            <span class="quiet">
              {!enabled ? 'disabled' : next === undefined ? null : <Time at={next} />}
            </span>
          </li>
        );
      })}
      {hasPermission.value('SCHEDULE:CREATE') ? (
        <li>
          <Icon name="bolt" size={14} />
          <a href={href('schedules/new', { workflow: session.id, title })}>
            {schedules.length === 0 ? 'Choose when it runs' : 'Add a schedule or webhook'}
          </a>
        </li>
      ) : null}
    </ul>
  );
}
