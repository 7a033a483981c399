import type { RunFacts } from './notification.model';

/** The person whom a message is for, or who started the run. */
interface PersonFacts {
  readonly name: string | null;
  readonly surname: string | null;
  readonly salutation: string | null;
  readonly department: string | null;
}

interface PlaceholderFacts {
  readonly run: RunFacts;
  readonly schedule: { readonly id: number; readonly title: string };
  readonly person: PersonFacts | null;
  /** Number of events that the message is about. */
  readonly count: number;
  readonly runUrl: string;
}

/** The first eight are those of the released line. */
const PLACEHOLDERS: Readonly<
  Record<string, (facts: PlaceholderFacts) => string | number | null | undefined>
> = {
  USER_NAME: ({ person }) => person?.name,
  USER_SURNAME: ({ person }) => person?.surname,
  USER_TITLE: ({ person }) => person?.salutation,
  USER_DEPARTMENT: ({ person }) => person?.department,
  CONNECTION_ID: ({ run }) => run.workflowId,
  CONNECTION_NAME: ({ run }) => run.workflowTitle,
  SCHEDULER_ID: ({ schedule }) => schedule.id,
  SCHEDULER_TITLE: ({ schedule }) => schedule.title,
  RUN_ID: ({ run }) => run.runId,
  RUN_STATE: ({ run }) => run.state,
  RUN_URL: ({ runUrl }) => runUrl,
  STEP_NAME: ({ run }) => run.error?.name,
  STEP_INDEX: ({ run }) => run.error?.index,
  ERROR_CODE: ({ run }) => run.error?.code,
  ERROR_MESSAGE: ({ run }) => run.error?.message,
  COUNT: ({ count }) => count,
};

/** `{{12}}` is the value of an aggregator argument, `{NAME}` one of `PLACEHOLDERS`. */
const PLACEHOLDER = /\{\{(\d{1,10})\}\}|(?<!\{)\{([A-Za-z][A-Za-z_]*)\}/g;
const MISSING_VALUE = 'n/a';

/** Values are stored as JSON; a text is shown without quotes. */
function shownValue(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    return json;
  }
}

/** Replaces the placeholders of a text. Unknown ones stay as they are. */
export function fillIn(text: string, facts: PlaceholderFacts): string {
  return text.replaceAll(
    PLACEHOLDER,
    (match, argumentId: string | undefined, name: string | undefined) => {
      if (argumentId !== undefined) {
        const values = facts.run.values.filter((each) => each.argumentId === Number(argumentId));
        return values.map(({ value }) => shownValue(value)).join(', ') || MISSING_VALUE;
      }
      const read = name !== undefined && Object.hasOwn(PLACEHOLDERS, name) && PLACEHOLDERS[name];
      return read ? String(read(facts) ?? '') : match;
    },
  );
}

/** The placeholders of texts, each once. */
export function placeholdersIn(texts: readonly string[]): {
  readonly unknown: string[];
  readonly argumentIds: number[];
} {
  const matches = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)]);
  const unknown = matches.flatMap(([placeholder, , name]) =>
    name === undefined || Object.hasOwn(PLACEHOLDERS, name) ? [] : [placeholder],
  );
  const argumentIds = matches.flatMap(([, id]) => (id === undefined ? [] : [Number(id)]));
  return { unknown: [...new Set(unknown)], argumentIds: [...new Set(argumentIds)] };
}
