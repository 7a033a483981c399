import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { InvokerXmlDocument, UpdateInvokerDocument } from '../../generated/operations';
import type { InvokerXmlQuery } from '../../generated/operations';
import { Field } from '../../parts/fields';
import { Form, throwUserErrors } from '../../parts/form';
import { notify } from '../../parts/notices';
import { Card, Heading, RecordPage } from '../../parts/page';
import { href, navigate, route } from '../../router';
import { decodeName, pathOf } from './invoker-path';
import { changed, childText, parseInvoker, setChildText } from './invoker-xml';
import { TextInput } from './message-editor';
import type { Change } from './message-editor';
import { OperationEditor } from './operation-editor';

type Source = NonNullable<InvokerXmlQuery['invoker']>;

const TEXTS = [
  ['Name', 'name'],
  ['Description', 'description'],
  ['Hint for users who create a connector', 'hint'],
  ['Icon', 'icon'],
] as const;

/** Selects a line of a text area and scrolls to it. */
function showLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4);
}

function EditorForm({
  source,
  line,
  onSaved,
}: {
  source: Source;
  line: number | null;
  onSaved: (name: string) => void;
}) {
  const [text, setText] = useState(source.xml);
  const area = useRef<HTMLTextAreaElement>(null);
  const root = useMemo(() => parseInvoker(text), [text]);
  // A submission with Enter follows the change at once, before the text area has the new text.
  const latest = useRef(text);
  const set = (next: string): void => {
    latest.current = next;
    setText(next);
  };
  const change: Change = (apply) => set(changed(latest.current, apply));
  useEffect(() => {
    if (line !== null && area.current !== null) showLine(area.current, line);
  }, [line]);
  const save = async (): Promise<void> => {
    const { invokerUpdate } = await request(UpdateInvokerDocument, {
      id: source.id,
      expectedVersion: source.version,
      xml: latest.current,
    });
    const wrongLine = /Line (\d+)/.exec(invokerUpdate.userErrors[0]?.message ?? '')?.[1];
    if (wrongLine !== undefined && area.current !== null) showLine(area.current, Number(wrongLine));
    throwUserErrors(invokerUpdate.userErrors);
    onSaved(invokerUpdate.invoker?.name ?? source.name);
  };
  return (
    <Form label="Invoker" submitText="Save invoker" submit={save}>
      <div class="xml-editor">
        <div class="xml-form">
          {root === null ? (
            <p class="warn" role="status">
              The XML is not complete. Repair the text to use the form, or save to see the lines of
              its errors.
            </p>
          ) : (
            <>
              {TEXTS.map(([label, name]) => (
                <TextInput
                  key={name}
                  label={label}
                  value={childText(root, name)}
                  onChange={(value) =>
                    change((changedRoot) => setChildText(changedRoot, name, value))
                  }
                />
              ))}
              <OperationEditor root={root} change={change} />
            </>
          )}
        </div>
        <Field label="XML">
          <textarea
            ref={area}
            name="xml"
            class="code"
            rows={30}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </Field>
      </div>
    </Form>
  );
}

/** Edits an invoker by a form and as XML, which show the same. The address may name a line. */
export function InvokerEditPage({ id: segment }: { id: string }) {
  const name = decodeName(segment);
  const query = useQuery(InvokerXmlDocument, { name });
  const line = Number(route.value.query.get('line'));
  const onSaved = (savedName: string): void => {
    notify('The invoker was saved.');
    navigate(href(pathOf(savedName)));
  };
  return (
    <RecordPage
      title={name}
      name="invoker"
      query={query}
      recordOf={({ invoker }) => invoker}
      notFoundText="It may have been deleted or renamed."
    >
      {(invoker) => (
        <>
          <Heading title={`Edit ${invoker.name}`}>
            <a href={href(pathOf(invoker.name))}>Show</a>
          </Heading>
          <Card title="Invoker">
            <EditorForm
              source={invoker}
              line={Number.isInteger(line) && line > 0 ? line : null}
              onSaved={onSaved}
            />
          </Card>
        </>
      )}
    </RecordPage>
  );
}
