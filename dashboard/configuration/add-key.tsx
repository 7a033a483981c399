import { ApplicationConfigKeyStatus } from '../generated/operations';
import { Field } from '../parts/fields';
import { enteredText, textOf, TextField } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import type { FieldChange } from './field-table';
import { newValue } from './values';
import type { Setting } from './values';

/** A dialog that adds a key to the file; the settings of the service are offered. */
export function AddKey({
  settings,
  save,
}: {
  settings: readonly Setting[];
  save: (change: FieldChange) => Promise<void>;
}) {
  const submit = (values: FormData): Promise<void> => {
    const path = textOf(values, 'path');
    const setting = settings.find(({ key }) => key === path);
    const value = newValue(enteredText(values, 'value'), setting);
    return save({ path, status: ApplicationConfigKeyStatus.Active, value });
  };
  return (
    <FormDialog icon="plus" text="Add key" submit={submit}>
      <Field label="Key">
        <input type="text" name="path" list="config-settings" autocomplete="off" required />
      </Field>
      <datalist id="config-settings">
        {settings.map(({ key, meaning }) => (
          <option key={key} value={key} label={meaning} />
        ))}
      </datalist>
      <TextField label="Value" name="value" />
    </FormDialog>
  );
}
