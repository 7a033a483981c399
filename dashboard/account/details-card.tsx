import { request } from '../api/request';
import { loadCurrentUser } from '../current-user';
import { ChangeUserDetailDocument } from '../generated/operations';
import type { Language, UserRecordFragment } from '../generated/operations';
import { Form, SelectField, TextField, textOf, throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';

/** A user whose record may change. */
export interface UserProps {
  readonly user: UserRecordFragment;
  /** Called with the changed user. */
  readonly onChange: (user: UserRecordFragment) => void;
}

const TEXTS = [
  { field: 'name', label: 'Given name', maxLength: 45 },
  { field: 'surname', label: 'Family name', maxLength: 45 },
  { field: 'salutation', label: 'Salutation', maxLength: 10 },
  { field: 'phoneNumber', label: 'Phone number', maxLength: 45 },
  { field: 'department', label: 'Department', maxLength: 45 },
  { field: 'organisation', label: 'Organisation', maxLength: 100 },
] as const;

const LANGUAGES = [
  { value: 'EN', text: 'English' },
  { value: 'DE', text: 'German' },
];

/** Name, organisation and language of a user. */
export function DetailsCard({ user, onChange }: UserProps) {
  const { databaseId, detail, version, viewerCan } = user;
  const save = async (values: FormData): Promise<void> => {
    const texts = TEXTS.map(({ field }) => [field, textOf(values, `detail.${field}`) || null]);
    const { userDetailChange } = await request(ChangeUserDetailDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        detail: {
          ...(Object.fromEntries(texts) as Record<string, string | null>),
          lang: textOf(values, 'detail.lang') as Language,
        },
      },
    });
    throwUserErrors(userDetailChange.userErrors);
    if (userDetailChange.user) onChange(userDetailChange.user);
    loadCurrentUser();
    notify('The details were saved.');
  };
  return (
    <Card title="Details">
      <Form
        label="Details"
        submitText="Save details"
        submit={save}
        isReadOnly={!viewerCan.changeDetail}
      >
        {TEXTS.map(({ field, label, maxLength }) => (
          <TextField
            key={field}
            label={label}
            name={`detail.${field}`}
            value={detail[field]}
            maxLength={maxLength}
          />
        ))}
        <SelectField label="Language" name="detail.lang" value={detail.lang} options={LANGUAGES} />
      </Form>
    </Card>
  );
}
