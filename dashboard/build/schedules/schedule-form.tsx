import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import { CreateScheduleDocument, UpdateScheduleDocument } from '../../generated/operations';
import type { MissedFires, OverlapPolicy, ScheduleRowFragment } from '../../generated/operations';
import { Button } from '../../parts/button';
import { Combobox } from '../../parts/combobox';
import type { OptionSearch } from '../../parts/combobox';
import type { Option } from '../../parts/fields';
import {
  CheckField,
  Form,
  SelectField,
  TextField,
  textOf,
  throwUserErrors,
} from '../../parts/form';
import { notify } from '../../parts/notices';
import { Card, Heading } from '../../parts/page';
import { AccessDenied } from '../../parts/states';
import { OVERLAP_POLICIES } from '../../pages/schedule-table';
import { href, navigate, route } from '../../router';
import { CronField } from './cron-field';
import { NextRunsPreview } from './next-runs';
import { WorkflowField, workflowOption } from '../workflow-field';

const MISSED_FIRES: Readonly<Record<MissedFires, string>> = {
  ONCE: 'run once afterwards',
  SKIP: 'skip',
};
/** Options shown at once; typing narrows them. */
const MAX_TIME_ZONES = 50;

const optionsOf = (texts: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text }));

const timeZoneOption = (name: string): Option => ({ value: name, text: name });
const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const searchTimeZones: OptionSearch = (text) => {
  const parts = text.toLowerCase().split(/[\s/_]+/);
  const names = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
  const matches = names.filter((name) => parts.every((part) => name.toLowerCase().includes(part)));
  return Promise.resolve(matches.slice(0, MAX_TIME_ZONES).map(timeZoneOption));
};

/** Returns the entered schedule. */
const fieldsOf = (values: FormData) => ({
  title: textOf(values, 'title'),
  cron: textOf(values, 'cron'),
  timeZone: textOf(values, 'timeZone'),
  overlapPolicy: textOf(values, 'overlapPolicy') as OverlapPolicy,
  missedFires: textOf(values, 'missedFires') as MissedFires,
  logging: values.has('logging'),
  enabled: values.has('enabled'),
});

interface ScheduleFieldsProps {
  readonly schedule?: ScheduleRowFragment;
  readonly workflow?: Option | null;
}

/** The inputs of a new or an existing schedule. */
function ScheduleFields({ schedule, workflow = null }: ScheduleFieldsProps) {
  const [cron, setCron] = useState(schedule?.cron ?? '0 0 6 * * ?');
  const [timeZone, setTimeZone] = useState(schedule?.timeZone ?? ownTimeZone());
  return (
    <>
      <TextField
        label="Title"
        name="title"
        value={schedule?.title ?? ''}
        maxLength={45}
        isRequired
        isFocused={schedule === undefined}
      />
      {hasPermission.value('CONNECTION:READ') ? <WorkflowField value={workflow} /> : null}
      <CronField cron={cron} onChange={setCron} />
      <Combobox
        label="Time zone"
        name="timeZone"
        value={timeZoneOption(timeZone)}
        search={searchTimeZones}
        isRequired
        onSelect={(option) => setTimeZone(option?.value ?? '')}
      />
      <NextRunsPreview cron={cron} timeZone={timeZone} />
      <SelectField
        label="If it is due while it runs"
        name="overlapPolicy"
        value={schedule?.overlapPolicy ?? 'SKIP'}
        options={optionsOf(OVERLAP_POLICIES)}
      />
      <SelectField
        label="If times were missed"
        name="missedFires"
        value={schedule?.missedFires ?? 'ONCE'}
        options={optionsOf(MISSED_FIRES)}
      />
      <CheckField
        label="Log requests and responses"
        name="logging"
        isChecked={schedule?.logging ?? false}
      />
      <CheckField label="Enabled" name="enabled" isChecked={schedule?.enabled ?? true} />
    </>
  );
}

/** The form of an existing schedule. */
export function ScheduleCard({
  schedule,
  onChange,
}: {
  schedule: ScheduleRowFragment;
  onChange: (schedule: ScheduleRowFragment) => void;
}) {
  const [edited, setEdited] = useState(schedule);
  const [isTouched, setIsTouched] = useState(false);
  const show = (current: ScheduleRowFragment): void => {
    setEdited(current);
    setIsTouched(false);
  };
  const isOutdated = edited.version !== schedule.version;
  useEffect(() => {
    if (isOutdated && !isTouched) show(schedule);
  }, [schedule.version]);
  const { databaseId, version, workflow, viewerCan } = edited;
  const save = async (values: FormData): Promise<void> => {
    const { scheduleUpdate } = await request(UpdateScheduleDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        ...fieldsOf(values),
        ...(values.has('workflowId') ? { workflowId: textOf(values, 'workflowId') } : {}),
      },
    });
    throwUserErrors(scheduleUpdate.userErrors);
    if (scheduleUpdate.schedule) {
      show(scheduleUpdate.schedule);
      onChange(scheduleUpdate.schedule);
    }
    notify('The schedule was saved.');
  };
  return (
    <Card title="Settings">
      {isOutdated && isTouched ? (
        <p class="form-note" role="status">
          The schedule was changed in the meantime.{' '}
          <Button class="button" onClick={() => show(schedule)}>
            Discard my changes
          </Button>
        </p>
      ) : null}
      <div onInput={() => setIsTouched(true)}>
        <Form
          key={version}
          label="Settings"
          submitText="Save schedule"
          submit={save}
          isReadOnly={!viewerCan.update}
        >
          <ScheduleFields schedule={edited} workflow={workflow && workflowOption(workflow)} />
        </Form>
      </div>
    </Card>
  );
}

/** Creates a schedule; the address may name its workflow: `?workflow=5&title=Orders`. */
export function NewSchedule() {
  const { query } = route.value;
  const [databaseId, title] = [query.get('workflow'), query.get('title')];
  const create = async (values: FormData): Promise<void> => {
    const { scheduleCreate } = await request(CreateScheduleDocument, {
      input: { ...fieldsOf(values), workflowId: textOf(values, 'workflowId') },
    });
    throwUserErrors(scheduleCreate.userErrors);
    notify('The schedule was created.');
    navigate(href(`schedules/${scheduleCreate.schedule?.databaseId}`), { replace: true });
  };
  const isAllowed = ['SCHEDULE:CREATE', 'CONNECTION:READ'].every(hasPermission.value);
  return (
    <>
      <Heading title="New schedule">
        <a href={href('schedules')}>All schedules</a>
      </Heading>
      {isAllowed ? (
        <section class="card" aria-label="New schedule">
          <Form label="New schedule" submitText="Create schedule" submit={create}>
            <ScheduleFields
              workflow={
                databaseId === null
                  ? null
                  : workflowOption({ databaseId: Number(databaseId), title: title ?? 'Workflow' })
              }
            />
          </Form>
        </section>
      ) : (
        <AccessDenied name="workflows, or to create schedules" />
      )}
    </>
  );
}
