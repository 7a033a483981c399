import { ApplicationConfigKeyStatus } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { enteredText, SelectField, TextAreaField, TextField } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { SettingNote } from './add-key';
import { depthOf, enteredValue, valueText } from './values';
import type { ConfigField } from './values';

/** A change of one key, as it is sent. */
export interface FieldChange {
  readonly path: string;
  readonly status: ApplicationConfigKeyStatus;
  readonly value?: unknown;
}

const STATUS_OPTIONS = [
  { value: ApplicationConfigKeyStatus.Active, text: 'In use' },
  { value: ApplicationConfigKeyStatus.Inactive, text: 'Commented out' },
];

function EditField({
  field,
  save,
}: {
  field: ConfigField;
  save: (change: FieldChange) => Promise<void>;
}) {
  const { path, status, isBlock, value, setting } = field;
  const submit = (values: FormData): Promise<void> => {
    const text = enteredText(values, 'value');
    const isChanged = !isBlock && text !== valueText(value);
    const chosen = enteredText(values, 'status') as ApplicationConfigKeyStatus;
    return save({ path, status: chosen, ...(isChanged && { value: enteredValue(text, value) }) });
  };
  const input = {
    label: Array.isArray(value) ? 'Entries, one in a line' : 'Value',
    name: 'value',
    value: valueText(value),
  };
  const isLong = Array.isArray(value) || input.value.includes('\n');
  return (
    <FormDialog icon="right" text="Edit" label={`Edit ${path}`} submitText="Save" submit={submit}>
      {setting === null ? null : <SettingNote setting={setting} />}
      {isBlock ? null : isLong ? <TextAreaField {...input} rows={6} /> : <TextField {...input} />}
      <SelectField label="State" name="status" value={status} options={STATUS_OPTIONS} />
    </FormDialog>
  );
}

const columnsFor = (
  byPath: ReadonlyMap<string, ConfigField>,
  save: (change: FieldChange) => Promise<void>,
): readonly Column<ConfigField>[] => [
  {
    title: 'Key',
    cellClass: 'cell-main',
    cell: (field) => (
      <div
        class={
          field.status === ApplicationConfigKeyStatus.Active
            ? 'config-key'
            : 'config-key config-inactive'
        }
        style={`--depth: ${depthOf(field, byPath)}`}
        title={field.path}
      >
        <code>{field.key}</code>
        {field.status === ApplicationConfigKeyStatus.Active ? null : (
          <span class="unseen"> (commented out)</span>
        )}
      </div>
    ),
  },
  {
    title: 'Value',
    cell: ({ isBlock, value, status }) =>
      isBlock ? null : (
        <span class={status === ApplicationConfigKeyStatus.Active ? '' : 'config-inactive'}>
          <bdi class="config-value">{valueText(value)}</bdi>
        </span>
      ),
  },
  {
    title: 'Meaning',
    isWideOnly: true,
    cell: ({ setting, comments }) => (
      <div class="config-note">
        {setting?.meaning}
        {comments.map(({ text }) => (
          <span key={text} class="line quiet">
            # {text}
          </span>
        ))}
      </div>
    ),
  },
  {
    title: 'Change',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (field) => <EditField field={field} save={save} />,
  },
];

/** The keys of the file, with those that are commented out. */
export function FieldTable({
  fields,
  all,
  save,
}: {
  /** Those that are shown. */
  fields: readonly ConfigField[];
  all: readonly ConfigField[];
  save: (change: FieldChange) => Promise<void>;
}) {
  const byPath = new Map(all.map((field) => [field.path, field]));
  return (
    <DataTable
      label="Keys of the configuration file"
      columns={columnsFor(byPath, save)}
      items={fields}
      keyOf={({ path }) => path}
    />
  );
}
