import { useState } from 'preact/hooks';
import { Button } from '../../parts/button';
import { Field } from '../../parts/fields';
import { Icon } from '../../parts/icon';
import { childAt, childOrNew } from './invoker-xml';
import type { Locate } from './invoker-xml';
import {
  append,
  attributeOf,
  elementOf,
  elementsOf,
  remove,
  setAttribute,
  setText,
  textOf,
} from './xml-tree';
import type { XmlElement } from './xml-tree';

/** Changes the XML. */
export type Change = (change: (root: XmlElement) => void) => void;

/** An element of the XML with the way to find it for a change. */
export interface Place {
  readonly element: XmlElement;
  readonly locate: Locate;
  readonly change: Change;
}

const FIELD_TYPES = ['string', 'int', 'number', 'boolean', 'object', 'array', 'base64'];
const FORMATS = ['json', 'xml', 'text', 'x-www-form-urlencoded'];
const CONTENTS = ['raw', 'graphql', 'form-data'];
const BODY_TYPES = ['object', 'array', 'string'];

/** A text input whose value is taken when the user leaves it. */
export function TextInput({
  label,
  value,
  isLabelHidden = false,
  onChange,
}: {
  label: string;
  value: string;
  isLabelHidden?: boolean;
  onChange: (value: string) => void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const input = (
    <input
      type="text"
      aria-label={isLabelHidden ? label : undefined}
      value={draft ?? value}
      autocomplete="off"
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setDraft(null);
        onChange(currentTarget.value);
      }}
    />
  );
  return isLabelHidden ? input : <Field label={label}>{input}</Field>;
}

/** A menu of usual values that shows an unusual one as well. */
export function ValueSelect({
  label,
  value,
  values,
  isLabelHidden = false,
  onChange,
}: {
  label: string;
  value: string;
  values: readonly string[];
  isLabelHidden?: boolean;
  onChange: (value: string) => void;
}) {
  const select = (
    <select
      aria-label={isLabelHidden ? label : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {[...new Set([...values, value])].map((each) => (
        <option key={each} value={each}>
          {each === '' ? 'none' : each}
        </option>
      ))}
    </select>
  );
  return isLabelHidden ? select : <Field label={label}>{select}</Field>;
}

export function SmallButton({
  icon,
  text,
  label = text,
  onClick,
}: {
  icon: 'plus' | 'cross';
  text: string;
  label?: string;
  onClick: () => void;
}) {
  return (
    <Button class="button quiet-button" aria-label={label} onClick={onClick}>
      <Icon name={icon} size={13} />
      <span>{text}</span>
    </Button>
  );
}

function HeaderRows({ label, element, locate, change }: Place & { label: string }) {
  const items = elementsOf(elementOf(element, 'header'), 'item');
  const header = childOrNew(locate, 'header');
  return (
    <div class="xml-rows" role="group" aria-label={`Headers of ${label}`}>
      {items.map((item, at) => {
        const name = attributeOf(item, 'name');
        const place = childAt(header, 'item', at);
        return (
          <div key={at} class="xml-row">
            <TextInput
              label={`Header ${at + 1}: name`}
              isLabelHidden
              value={name}
              onChange={(value) => change((root) => setAttribute(place(root), 'name', value))}
            />
            <TextInput
              label={`Header ${at + 1}: value`}
              isLabelHidden
              value={textOf(item)}
              onChange={(value) => change((root) => setText(place(root), value))}
            />
            <SmallButton
              icon="cross"
              text="Remove"
              label={`Remove header ${name}`}
              onClick={() => change((root) => remove(place(root)))}
            />
          </div>
        );
      })}
      <SmallButton
        icon="plus"
        text="Add header"
        onClick={() =>
          change((root) => append(header(root), 'item', { name: 'Header', type: 'string' }))
        }
      />
    </div>
  );
}

function addField(parent: XmlElement): void {
  // A field that gets fields has no text of its own.
  if (elementsOf(parent, 'field').length === 0 && parent.name === 'field') {
    setText(parent, '');
    if (attributeOf(parent, 'type') !== 'array') setAttribute(parent, 'type', 'object');
  }
  append(parent, 'field', { name: 'field', type: 'string' });
}

/** The fields of a body or of another field, each with the fields in it. */
function FieldRows({ element, locate, change }: Place) {
  const fields = elementsOf(element, 'field');
  if (fields.length === 0) return null;
  return (
    <ul class="xml-fields">
      {fields.map((field, at) => {
        const name = attributeOf(field, 'name');
        const place = childAt(locate, 'field', at);
        const hasFields = elementsOf(field, 'field').length > 0;
        return (
          <li key={at}>
            <div class="xml-row">
              <TextInput
                label={`Field ${name}: name`}
                isLabelHidden
                value={name}
                onChange={(value) => change((root) => setAttribute(place(root), 'name', value))}
              />
              <ValueSelect
                label={`Field ${name}: type`}
                isLabelHidden
                value={attributeOf(field, 'type')}
                values={FIELD_TYPES}
                onChange={(value) => change((root) => setAttribute(place(root), 'type', value))}
              />
              {hasFields ? null : (
                <TextInput
                  label={`Field ${name}: value`}
                  isLabelHidden
                  value={textOf(field)}
                  onChange={(value) => change((root) => setText(place(root), value))}
                />
              )}
              <SmallButton
                icon="plus"
                text="Add inside"
                label={`Add inside ${name}`}
                onClick={() => change((root) => addField(place(root)))}
              />
              <SmallButton
                icon="cross"
                text="Remove"
                label={`Remove field ${name}`}
                onClick={() => change((root) => remove(place(root)))}
              />
            </div>
            <FieldRows element={field} locate={place} change={change} />
          </li>
        );
      })}
    </ul>
  );
}

function BodyEditor({ label, element, locate, change }: Place & { label: string }) {
  const body = elementOf(element, 'body');
  if (body === null)
    return (
      <SmallButton
        icon="plus"
        text="Add body"
        label={`Add body to ${label}`}
        onClick={() =>
          change((root) =>
            append(locate(root), 'body', { type: 'object', format: 'json', data: 'raw' }),
          )
        }
      />
    );
  const place = childAt(locate, 'body');
  const menus = [
    ['Format', 'format', FORMATS],
    ['Content', 'data', CONTENTS],
    ['Type', 'type', BODY_TYPES],
  ] as const;
  return (
    <div class="xml-rows" role="group" aria-label={`Body of ${label}`}>
      <div class="xml-row">
        {menus.map(([title, name, values]) => (
          <ValueSelect
            key={name}
            label={title}
            value={attributeOf(body, name)}
            values={values}
            onChange={(value) => change((root) => setAttribute(place(root), name, value))}
          />
        ))}
        <SmallButton
          icon="cross"
          text="Remove body"
          onClick={() => change((root) => remove(place(root)))}
        />
      </div>
      <FieldRows element={body} locate={place} change={change} />
      <SmallButton
        icon="plus"
        text="Add field"
        onClick={() => change((root) => addField(place(root)))}
      />
    </div>
  );
}

/**
 * Headers and body of a request or a response.
 * @param props.label names it for screen readers: `the request`
 */
export function MessageEditor(props: Place & { label: string }) {
  return (
    <>
      <h4>Headers</h4>
      <HeaderRows {...props} />
      <h4>Body</h4>
      <BodyEditor {...props} />
    </>
  );
}
