import { useQuery } from '../api/hooks';
import { MessageTemplateNamesDocument } from '../generated/operations';
import type { NotificationEvent, NotificationRowFragment } from '../generated/operations';
import type { Option } from '../parts/fields';
import { enteredText, linesOf, SelectField, TextAreaField, TextField, textOf } from '../parts/form';
import { href } from '../router';
import { CHANNELS, EVENTS, optionsOf } from './labels';
import { MissingMailSettings } from './mail-warning';

/** Returns the entered notification. Each line of the recipients is one. */
export const fieldsOf = (values: FormData) => ({
  name: textOf(values, 'name'),
  eventType: textOf(values, 'eventType') as NotificationEvent,
  templateId: textOf(values, 'templateId'),
  recipients: linesOf(enteredText(values, 'recipients')),
});

/** The templates as options, with the present one first. */
function useTemplateOptions(present: NotificationRowFragment['template']): readonly Option[] {
  const { data } = useQuery(MessageTemplateNamesDocument, {});
  const optionOf = ({ databaseId, name, channel }: NonNullable<typeof present>): Option => ({
    value: String(databaseId),
    text: `${name} (${CHANNELS[channel]})`,
  });
  const first = present === null ? { value: '', text: 'Select a template' } : optionOf(present);
  const others = (data?.messageTemplates.nodes ?? []).map(optionOf);
  return [first, ...others.filter(({ value }) => value !== first.value)];
}

/** The inputs of a new or an existing notification. */
export function NotificationFields({ notification }: { notification?: NotificationRowFragment }) {
  const options = useTemplateOptions(notification?.template ?? null);
  return (
    <>
      <TextField
        label="Name"
        name="name"
        value={notification?.name ?? ''}
        maxLength={128}
        isRequired
      />
      <SelectField
        label="When"
        name="eventType"
        value={notification?.eventType ?? 'ALERT'}
        options={optionsOf(EVENTS)}
      />
      <SelectField
        label="Template"
        name="templateId"
        value={options[0]?.value ?? ''}
        options={options}
        isRequired
      />
      <MissingMailSettings />
      <TextAreaField
        label="Recipients, one in a line"
        name="recipients"
        value={notification?.recipients.join('\n') ?? ''}
        rows={3}
      />
      <p class="placeholders">
        E-mail addresses, or URLs of incoming webhooks if the{' '}
        <a href={href('notifications/templates')}>template</a> is for them. Without recipients, a
        mail goes to the user who started the run, else to the author of the schedule; a webhook
        call goes to the configured URLs.
      </p>
    </>
  );
}
