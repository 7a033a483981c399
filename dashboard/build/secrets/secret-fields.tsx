import type { SecretRecordFragment } from '../../generated/operations';
import { enteredText, linesOf, TextAreaField, TextField, textOf } from '../../parts/form';

/** What `SecretFields` enter, except the value. */
export const secretOf = (values: FormData) => ({
  name: textOf(values, 'name'),
  note: textOf(values, 'note') || null,
  origins: linesOf(enteredText(values, 'origins')),
});

/**
 * Name, note, origins and value of a secret.
 * @param props.secret null: a new one
 */
export function SecretFields({ secret = null }: { secret?: SecretRecordFragment | null }) {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        value={secret?.name}
        maxLength={64}
        isRequired
        hint="A letter, then letters, digits, - and _."
      />
      <TextField
        label="Value"
        name="value"
        isPassword
        isRequired={secret === null}
        autocomplete="new-password"
        placeholder={secret === null ? undefined : '••••••••'}
        hint={
          secret === null
            ? 'It is stored encrypted and never shown.'
            : 'Saved and never shown. Leave it empty to keep it.'
        }
      />
      <div class="wide-field">
        <TextAreaField
          label="Origins that it may be sent to, one in a line"
          name="origins"
          value={secret?.origins.join('\n') ?? ''}
          rows={3}
          isRequired
          hint="Such as https://api.example.com, or https://*.example.com for all hosts below."
        />
      </div>
      <div class="wide-field">
        <TextAreaField label="Note" name="note" value={secret?.note ?? ''} rows={2} />
      </div>
    </>
  );
}
