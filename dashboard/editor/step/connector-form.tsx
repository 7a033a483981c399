import { useQuery } from '../../api/hooks';
import { EditorConnectorsDocument, EditorOperationDocument } from '../../generated/operations';
import type { EditorOperationQuery } from '../../generated/operations';
import { isObject } from '../../parts/values';
import { href } from '../../router';
import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';
import { FieldRows } from './field-rows';
import { RequestForm } from './request-form';

type Operation = NonNullable<
  NonNullable<EditorOperationQuery['connector']>['invoker']
>['operations'][number];

/** The fields of an operation: those of the step, and the others with the operation's own values. */
function OperationFields({ step, operation }: { step: MethodStep; operation: Operation }) {
  const { session } = useStepContext();
  const { body, method, endpoint } = operation.request;
  const own = step.request?.body?.fields;
  const fields = {
    ...(isObject(body?.fields) ? body.fields : {}),
    ...(isObject(own) ? own : {}),
  };
  return (
    <>
      <p class="quiet operation-line">
        <code>
          {method} {endpoint}
        </code>
      </p>
      {body === null ? (
        <p class="quiet">This operation sends no body.</p>
      ) : (
        <FieldRows
          title="Fields"
          noun="field"
          path="request.body.fields"
          hasKinds
          rows={Object.entries(fields)}
          onChange={(rows) =>
            session.update(
              step.id,
              {
                method: {
                  request: {
                    body: {
                      type: body.type,
                      format: body.format,
                      data: body.data,
                      fields: Object.fromEntries(rows),
                    },
                  },
                },
              },
              { isTyping: true },
            )
          }
        />
      )}
      <details>
        <summary>Other address, headers or body</summary>
        <RequestForm step={step} />
      </details>
    </>
  );
}

/** The call of an operation of a connector. */
export function ConnectorForm({ step }: { step: MethodStep }) {
  const { session } = useStepContext();
  const connectors = useQuery(EditorConnectorsDocument, {}).data?.connectors.nodes ?? [];
  const connectorId = step.connector?.connectorId ?? null;
  const connector = connectors.find(({ databaseId }) => databaseId === connectorId);
  const operation = useQuery(EditorOperationDocument, {
    connectorId: String(connectorId ?? 0),
    operation: step.name ?? '',
  }).data?.connector?.invoker?.operations[0];
  const isReadOnly = session.isReadOnly.value;
  return (
    <>
      <div class="field-pair">
        <label class="field">
          Connector
          <select
            value={String(connectorId ?? '')}
            disabled={isReadOnly}
            onChange={({ currentTarget }) => {
              const chosen = connectors.find(
                ({ databaseId }) => String(databaseId) === currentTarget.value,
              );
              if (chosen !== undefined)
                session.update(step.id, {
                  method: { connector: { connectorId: chosen.databaseId, title: chosen.title } },
                });
            }}
          >
            {connector === undefined ? (
              <option value={String(connectorId ?? '')}>
                {step.connector?.title ?? 'Choose a connector'}
              </option>
            ) : null}
            {connectors.map(({ databaseId, title }) => (
              <option key={databaseId} value={String(databaseId)}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Operation
          <select
            value={step.name ?? ''}
            disabled={isReadOnly}
            onChange={({ currentTarget }) =>
              session.update(step.id, { method: { name: currentTarget.value } })
            }
          >
            {connector?.invoker?.operations.some(({ name }) => name === step.name) ? null : (
              <option value={step.name ?? ''}>{step.name ?? 'Choose an operation'}</option>
            )}
            {(connector?.invoker?.operations ?? []).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {connectorId === null ? null : (
        <p>
          <a href={href(`connectors/${connectorId}`)}>Open the connector</a>
        </p>
      )}
      {operation === undefined ? null : (
        <OperationFields key={operation.name} step={step} operation={operation} />
      )}
    </>
  );
}
