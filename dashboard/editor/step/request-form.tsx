import { useState } from 'preact/hooks';
import { SegmentedControl } from '../../parts/fields';
import { formatJson } from '../../parts/format';
import { isObject } from '../../parts/values';
import type { HttpMethod, MethodContentInput } from '../../generated/operations';
import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';
import { StepTextField } from '../fields/text-field';
import { FieldRows, JsonField } from './field-rows';
import type { NamedValue } from './field-rows';
import { formatAddress, parseAddress } from './query-string';

type RequestChanges = NonNullable<MethodContentInput['request']>;

const HTTP_METHODS: readonly HttpMethod[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
];

const BODY_KINDS = [
  { value: 'none', text: 'None' },
  { value: 'fields', text: 'Fields' },
  { value: 'json', text: 'JSON' },
  { value: 'form', text: 'Form' },
  { value: 'file', text: 'File' },
  { value: 'xml', text: 'XML' },
  { value: 'text', text: 'Text' },
] as const;
type BodyKind = (typeof BODY_KINDS)[number]['value'];

const isFlat = (fields: unknown): boolean =>
  isObject(fields) &&
  Object.values(fields).every((value) => typeof value !== 'object' || value === null);

type Body = NonNullable<NonNullable<MethodStep['request']>['body']>;

function bodyKind(body: Body | null | undefined): BodyKind {
  if (!body) return 'none';
  if (body.format === 'x-www-form-urlencoded') return 'form';
  if (body.format === 'form-data' || body.data === 'form-data') return 'file';
  if (body.format === 'xml' || body.format === 'text') return body.format;
  return isFlat(body.fields) && body.data !== 'graphql' ? 'fields' : 'json';
}

/** Returns the body of another kind, with the fields as far as they fit. */
function bodyOf(kind: BodyKind, fields: unknown): RequestChanges['body'] {
  const object = isObject(fields) ? fields : {};
  const text = typeof fields === 'string' ? fields : '';
  switch (kind) {
    case 'none':
      return null;
    case 'fields':
      return { format: 'json', type: 'object', data: 'raw', fields: object };
    case 'json':
      return { format: 'json', type: 'object', data: 'raw', fields: fields ?? {} };
    case 'form':
      return { format: 'x-www-form-urlencoded', type: 'object', data: 'raw', fields: object };
    case 'file':
      return { format: 'form-data', type: 'object', data: 'form-data', fields: object };
    case 'xml':
    case 'text':
      return { format: kind, type: 'string', data: 'raw', fields: text };
  }
}

const rowsOf = (value: unknown): NamedValue[] => (isObject(value) ? Object.entries(value) : []);

function BodyForm({
  step,
  change,
}: {
  step: MethodStep;
  change: (request: RequestChanges) => void;
}) {
  const body = step.request?.body;
  const stored = bodyKind(body);
  const [chosen, setChosen] = useState<BodyKind | null>(null);
  // Fields and JSON are two views of the same body.
  const kind = chosen === 'json' && stored === 'fields' ? 'json' : stored;
  const fields = body?.fields;
  const changeFields = (value: unknown): void => change({ body: { fields: value } });
  return (
    <div class="body-form">
      <SegmentedControl
        label="Body"
        value={kind}
        options={BODY_KINDS}
        onChange={(value) => {
          setChosen(value as BodyKind);
          const isView = stored === 'fields' && value === 'json';
          if (!isView && value !== stored) change({ body: bodyOf(value as BodyKind, fields) });
        }}
      />
      {kind === 'fields' || kind === 'form' || kind === 'file' ? (
        <FieldRows
          title={kind === 'file' ? 'Parts' : 'Body fields'}
          noun={kind === 'file' ? 'part' : 'field'}
          path="request.body.fields"
          hasKinds={kind === 'fields'}
          rows={rowsOf(fields)}
          {...(kind === 'file'
            ? { help: 'A part whose value is the body of an earlier step is sent as a file.' }
            : {})}
          onChange={(rows) => changeFields(Object.fromEntries(rows))}
        />
      ) : null}
      {kind === 'json' ? (
        <JsonField label="JSON" value={fields} path="request.body.fields" onChange={changeFields} />
      ) : null}
      {kind === 'xml' || kind === 'text' ? (
        <StepTextField
          label={kind === 'xml' ? 'XML' : 'Text'}
          isMultiline
          value={formatJson(fields ?? '')}
          path="request.body.fields"
          onChange={changeFields}
        />
      ) : null}
      {kind === 'file' ? (
        <StepTextField
          label="File name"
          placeholder="As received"
          value={step.fileName ?? ''}
          path="fileName"
          onChange={(fileName) => change({ fileName } as RequestChanges)}
        />
      ) : null}
    </div>
  );
}

/** The request of a step: method, address, query, headers and body. */
export function RequestForm({ step }: { step: MethodStep }) {
  const { session } = useStepContext();
  const { request } = step;
  const endpoint = request?.endpoint ?? '';
  const address = parseAddress(endpoint);
  const change = ({ fileName, ...changes }: RequestChanges & { fileName?: string }): void =>
    session.update(
      step.id,
      {
        method: fileName === undefined ? { request: changes } : { fileName: fileName || null },
      },
      { isTyping: true },
    );
  return (
    <>
      <div class="address-row">
        <label class="field">
          Method
          <select
            value={request?.httpMethod ?? request?.method ?? 'GET'}
            disabled={session.isReadOnly.value}
            onChange={({ currentTarget }) =>
              change({ httpMethod: currentTarget.value as HttpMethod })
            }
          >
            {HTTP_METHODS.map((method) => (
              <option key={method} value={method}>
                {method}
              </option>
            ))}
          </select>
        </label>
        <StepTextField
          label="URL"
          placeholder="https://api.example.com/tickets"
          value={endpoint}
          path="request.endpoint"
          onChange={(text) => change({ endpoint: text })}
        />
      </div>
      {step.methodType === 'CONNECTOR' && endpoint === '' ? null : (
        <FieldRows
          title="Query"
          noun="parameter"
          path="request.query"
          rows={address.parameters}
          onChange={(parameters) =>
            change({ endpoint: formatAddress({ base: address.base, parameters }) })
          }
        />
      )}
      <FieldRows
        title="Headers"
        noun="header"
        path="request.header"
        rows={rowsOf(request?.header)}
        onChange={(rows) => change({ header: Object.fromEntries(rows) })}
      />
      <BodyForm step={step} change={change} />
    </>
  );
}
