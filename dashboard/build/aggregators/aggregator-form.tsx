import { useState } from 'preact/hooks';
import { request } from '../../api/request';
import { CreateAggregatorDocument, UpdateAggregatorDocument } from '../../generated/operations';
import type { AggregatorRecordFragment } from '../../generated/operations';
import { Button } from '../../parts/button';
import {
  enteredText,
  Form,
  TextAreaField,
  TextField,
  textOf,
  throwUserErrors,
} from '../../parts/form';
import { Icon } from '../../parts/icon';

/** A row of the form; it keeps its key when others are removed. */
interface ArgumentRow {
  readonly key: number;
  readonly argumentId: number | null;
  readonly name: string;
  readonly description: string;
}

const newRow = (rows: readonly ArgumentRow[]): ArgumentRow => ({
  key: Math.max(0, ...rows.map(({ key }) => key)) + 1,
  argumentId: null,
  name: '',
  description: '',
});

function rowsOf(aggregator: AggregatorRecordFragment | null): ArgumentRow[] {
  if (aggregator === null) return [newRow([])];
  return aggregator.arguments.map(({ argumentId, name, description }, at) => ({
    key: at + 1,
    argumentId,
    name,
    description: description ?? '',
  }));
}

function ArgumentFields({
  row,
  at,
  onRemove,
}: {
  row: ArgumentRow;
  at: number;
  onRemove: () => void;
}) {
  return (
    <div class="xml-row" role="group" aria-label={`Variable ${at + 1}`}>
      <TextField label="Variable" name={`arguments.${at}.name`} value={row.name} isRequired />
      <TextField label="Description" name={`arguments.${at}.description`} value={row.description} />
      <Button
        class="button quiet-button"
        aria-label={`Remove variable ${at + 1}`}
        onClick={onRemove}
      >
        <Icon name="cross" size={13} />
        <span>Remove</span>
      </Button>
    </div>
  );
}

/**
 * Name, variables and script of an aggregator.
 * @param props.aggregator null: a new one
 * @param props.onSaved called with the id
 */
export function AggregatorForm({
  aggregator,
  isReadOnly = false,
  onSaved,
}: {
  aggregator: AggregatorRecordFragment | null;
  isReadOnly?: boolean;
  onSaved: (id: number) => void | Promise<void>;
}) {
  const [rows, setRows] = useState(() => rowsOf(aggregator));
  const save = async (values: FormData): Promise<void> => {
    const input = {
      name: textOf(values, 'name'),
      script: enteredText(values, 'script'),
      arguments: rows.map(({ argumentId }, at) => ({
        argumentId,
        name: textOf(values, `arguments.${at}.name`),
        description: textOf(values, `arguments.${at}.description`) || null,
      })),
    };
    if (aggregator === null) {
      const { aggregatorCreate } = await request(CreateAggregatorDocument, { input });
      throwUserErrors(aggregatorCreate.userErrors);
      if (aggregatorCreate.aggregator) await onSaved(aggregatorCreate.aggregator.databaseId);
      return;
    }
    const { databaseId, version } = aggregator;
    const { aggregatorUpdate } = await request(UpdateAggregatorDocument, {
      input: { ...input, id: String(databaseId), expectedVersion: version },
    });
    throwUserErrors(aggregatorUpdate.userErrors);
    await onSaved(databaseId);
  };
  return (
    <Form
      label="Aggregator"
      submitText={aggregator === null ? 'Create aggregator' : 'Save aggregator'}
      submit={save}
      isReadOnly={isReadOnly}
    >
      <TextField label="Name" name="name" value={aggregator?.name} maxLength={255} isRequired />
      <fieldset class="field-set">
        <legend>Variables</legend>
        <p class="quiet wide-field">Their values are stored with each run, and in its messages.</p>
        {rows.map((row, at) => (
          <ArgumentFields
            key={row.key}
            row={row}
            at={at}
            onRemove={() => setRows(rows.filter((other) => other !== row))}
          />
        ))}
        {isReadOnly ? null : (
          <div>
            <Button class="button quiet-button" onClick={() => setRows([...rows, newRow(rows)])}>
              <Icon name="plus" size={13} />
              <span>Add variable</span>
            </Button>
          </div>
        )}
      </fieldset>
      <div class="wide-field">
        <TextAreaField
          label="Script"
          name="script"
          value={aggregator?.script ?? ''}
          rows={12}
          isCode
          hint="JavaScript. Requests and Responses are lists of {status, header, body} in the order of the calls; assign the variables."
        />
      </div>
    </Form>
  );
}
