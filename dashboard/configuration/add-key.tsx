import { useState } from 'preact/hooks';
import { ApplicationConfigKeyStatus } from '../generated/operations';
import { Field } from '../parts/fields';
import { enteredText, TextField, textOf } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import type { FieldChange } from './field-table';
import { newValue } from './values';
import type { Setting } from './values';

interface AddKeyProps {
  readonly settings: readonly Setting[];
  /** Paths of keys that the file has. */
  readonly used: ReadonlySet<string>;
  readonly save: (change: FieldChange) => Promise<void>;
}

/** What a setting does, and which values it takes. The default is in Markdown. */
export function SettingNote({ setting }: { setting: Omit<Setting, 'key'> }) {
  const { meaning, accepts, variable } = setting;
  return (
    <p class="quiet config-note">
      {meaning} Accepts {accepts}. Default:{' '}
      {setting.default === '' ? 'none' : setting.default.replaceAll('`', '')}. The environment
      variable <code>{variable}</code> takes precedence.
    </p>
  );
}

function KeyFields({ settings, used }: Pick<AddKeyProps, 'settings' | 'used'>) {
  const [path, setPath] = useState('');
  const setting = settings.find(({ key }) => key === path.trim());
  return (
    <>
      <Field label="Key">
        <input
          type="text"
          name="path"
          list="config-settings"
          autocomplete="off"
          required
          onInput={({ currentTarget }) => setPath(currentTarget.value)}
        />
      </Field>
      <datalist id="config-settings">
        {settings
          .filter(({ key }) => !used.has(key))
          .map(({ key, meaning }) => (
            <option key={key} value={key} label={meaning} />
          ))}
      </datalist>
      {setting !== undefined ? <SettingNote setting={setting} /> : null}
      <TextField label="Value" name="value" />
      {setting === undefined && path.trim() !== '' ? (
        <label class="check">
          <input type="checkbox" name="unknown" required /> Add it although the service does not
          know this key
        </label>
      ) : null}
    </>
  );
}

/**
 * A dialog that adds a key to the file. Settings of the service that the file does not have are
 * offered; another key has to be confirmed.
 */
export function AddKey({ settings, used, save }: AddKeyProps) {
  const submit = (values: FormData): Promise<void> => {
    const path = textOf(values, 'path');
    const setting = settings.find(({ key }) => key === path);
    const value = newValue(enteredText(values, 'value'), setting);
    return save({ path, status: ApplicationConfigKeyStatus.Active, value });
  };
  return (
    <FormDialog icon="plus" text="Add key" submit={submit}>
      <KeyFields settings={settings} used={used} />
    </FormDialog>
  );
}
