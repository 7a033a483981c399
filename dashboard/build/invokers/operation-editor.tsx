import { Select } from '../../parts/fields';
import { route, setQuery } from '../../router';
import {
  addOperation,
  childAt,
  childOrNew,
  childText,
  operationAt,
  operationsOf,
  setChildText,
} from './invoker-xml';
import { attributeOf, elementOf, elementsOf, remove, setAttribute } from './xml-tree';
import type { XmlElement } from './xml-tree';
import { MessageEditor, SmallButton, TextInput, ValueSelect } from './message-editor';
import type { Change, Place } from './message-editor';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const TYPES = ['', 'test', 'auth', 'page'];
const RESULTS = ['success', 'fail'] as const;

function RequestEditor({ element: operation, locate, change }: Place) {
  const element = elementOf(operation, 'request');
  const request = childOrNew(locate, 'request');
  const setText = (name: string) => (value: string) =>
    change((root) => setChildText(request(root), name, value));
  return (
    <>
      <div class="xml-row">
        <ValueSelect
          label="Method"
          value={childText(element, 'method')}
          values={METHODS}
          onChange={setText('method')}
        />
        <TextInput
          label="Endpoint"
          value={childText(element, 'endpoint')}
          onChange={setText('endpoint')}
        />
      </div>
      {element === null ? null : (
        <MessageEditor label="the request" element={element} locate={request} change={change} />
      )}
    </>
  );
}

function ResponseEditors({ element, locate, change }: Place) {
  const response = elementOf(element, 'response');
  return (
    <>
      {RESULTS.flatMap((name) =>
        elementsOf(response, name).map((result, at) => {
          const place = childAt(childAt(locate, 'response'), name, at);
          const status = attributeOf(result, 'status');
          const title = `${name === 'success' ? 'Success' : 'Failure'}, status ${status}`;
          return (
            <details key={`${name} ${at}`} class="xml-result">
              <summary>{title}</summary>
              <TextInput
                label="Status"
                value={status}
                onChange={(value) => change((root) => setAttribute(place(root), 'status', value))}
              />
              <MessageEditor
                label={`the response ${status}`}
                element={result}
                locate={place}
                change={change}
              />
            </details>
          );
        }),
      )}
    </>
  );
}

/** A form for one operation of an invoker, with a menu of all. */
export function OperationEditor({ root, change }: { root: XmlElement; change: Change }) {
  const selected = Number(route.value.query.get('operation')) || 0;
  const select = (position: number): void =>
    setQuery({ operation: position || null }, { replace: true });
  const operations = operationsOf(root);
  const at = Math.min(selected, operations.length - 1);
  const element = operations[at];
  const locate = operationAt(at);
  const setTo = (name: string) => (value: string) =>
    change((changedRoot) => setAttribute(locate(changedRoot), name, value));
  return (
    <fieldset class="field-set">
      <legend>Operations</legend>
      <div class="xml-row">
        <Select
          label="Operation"
          value={String(at)}
          options={operations.map((operation, position) => ({
            value: String(position),
            text: attributeOf(operation, 'name'),
          }))}
          onChange={(value) => select(Number(value))}
        />
        <SmallButton
          icon="plus"
          text="Add operation"
          onClick={() => {
            change(addOperation);
            select(operations.length);
          }}
        />
        {element === undefined ? null : (
          <SmallButton
            icon="cross"
            text="Remove operation"
            onClick={() => change((changedRoot) => remove(locate(changedRoot)))}
          />
        )}
      </div>
      {element === undefined ? null : (
        <div key={at} class="xml-rows">
          <div class="xml-row">
            <TextInput
              label="Operation name"
              value={attributeOf(element, 'name')}
              onChange={setTo('name')}
            />
            <ValueSelect
              label="Operation type"
              value={attributeOf(element, 'type')}
              values={TYPES}
              onChange={setTo('type')}
            />
          </div>
          <RequestEditor element={element} locate={locate} change={change} />
          <ResponseEditors element={element} locate={locate} change={change} />
        </div>
      )}
    </fieldset>
  );
}
