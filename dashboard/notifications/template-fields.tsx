import type { ComponentChildren } from 'preact';
import type {
  MessageContentInput,
  MessageLanguage,
  MessageTemplateRecordFragment,
} from '../generated/operations';
import { enteredText, TextAreaField, TextField, textOf, throwUserErrors } from '../parts/form';
import { LANGUAGES } from './labels';

type Content = MessageTemplateRecordFragment['contents'][number];

const CODES = Object.keys(LANGUAGES) as MessageLanguage[];

/** Returns the contents of the languages that have a subject or a text. */
export const contentsOf = (values: FormData): MessageContentInput[] =>
  CODES.map((language) => ({
    language,
    subject: textOf(values, `contents.${language}.subject`),
    body: enteredText(values, `contents.${language}.body`),
  })).filter(({ subject, body }) => subject !== '' || body.trim() !== '');

/**
 * Reports rejected contents at the fields of their language, which a form has instead of a list.
 * @throws Rejected
 */
export function throwTemplateErrors(
  userErrors: readonly { readonly message: string; readonly path: readonly string[] }[],
  contents: readonly MessageContentInput[],
): void {
  throwUserErrors(
    userErrors.map(({ message, path: [list = '', at, ...rest] }) => {
      const language = contents[Number(at)]?.language;
      const path = [list, ...(at === undefined ? [] : [language ?? at]), ...rest];
      return {
        path,
        message:
          list === 'contents' && language !== undefined
            ? `${LANGUAGES[language]}: ${message}`
            : message,
      };
    }),
  );
}

/**
 * Name, and subject and text in each language. The service checks their lengths: a browser would
 * cut a long text that is pasted.
 */
export function TemplateFields({
  name = '',
  contents = [],
  children,
}: {
  name?: string;
  contents?: readonly Content[];
  /** Inputs next to the name. */
  children?: ComponentChildren;
}) {
  return (
    <>
      <TextField label="Name" name="name" value={name} maxLength={128} isRequired />
      {children}
      {CODES.map((language) => {
        const content = contents.find((each) => each.language === language);
        return (
          <fieldset key={language} class="language-fields">
            <legend>{LANGUAGES[language]}</legend>
            <TextField
              label="Subject"
              name={`contents.${language}.subject`}
              value={content?.subject ?? ''}
            />
            <TextAreaField
              label="Text"
              name={`contents.${language}.body`}
              value={content?.body ?? ''}
            />
          </fieldset>
        );
      })}
      <p class="placeholders">
        Leave a language empty to use the other one. Placeholders are replaced in each message:{' '}
        <code>{'{SCHEDULER_TITLE}'}</code>, <code>{'{CONNECTION_NAME}'}</code>,{' '}
        <code>{'{RUN_ID}'}</code>, <code>{'{ERROR_MESSAGE}'}</code>, and <code>{'{{12}}'}</code> for
        argument 12 of an aggregator.
      </p>
    </>
  );
}
