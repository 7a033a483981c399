import type { Step } from '../document';

/** A reference in a text of a step: data of a step, a named secret, or a webhook parameter. */
export interface Reference {
  readonly from: number;
  readonly to: number;
  readonly kind: 'step' | 'secret' | 'parameter';
  /** Colour of the step that it names, in upper case. */
  readonly color: string | null;
  /** Which part of a step: `response` or `request`. */
  readonly part: string;
  /** Path in the data, or the name of a secret or parameter. */
  readonly path: string;
}

const MARKED =
  /\{%\s*(?:(#[0-9A-Fa-f]{6})\.\((request|response)\)\.?([^%;]*)|secret\.([\w-]+))\s*%\}|\$\{([^}]+)\}/g;
const BARE = /^(#[0-9A-Fa-f]{6})\.\((request|response)\)\.?([^;%]*)$/;

/** Finds the references of a text, in order. */
export function findReferences(text: string): Reference[] {
  const bare = BARE.exec(text);
  if (bare !== null) {
    const [, color = '', part = '', path = ''] = bare;
    return [{ from: 0, to: text.length, kind: 'step', color: color.toUpperCase(), part, path }];
  }
  return [...text.matchAll(MARKED)].map((match): Reference => {
    const [marked, color, part = '', path = '', secret, parameter] = match;
    const range = { from: match.index, to: match.index + marked.length };
    if (color !== undefined)
      return { ...range, kind: 'step', color: color.toUpperCase(), part, path: path.trim() };
    if (secret !== undefined)
      return { ...range, kind: 'secret', color: null, part: '', path: secret };
    return { ...range, kind: 'parameter', color: null, part: '', path: parameter ?? '' };
  });
}

/** Returns the text of a reference to data of a step. */
export const referenceText = (color: string, path: string, part = 'response'): string =>
  `{%${color}.(${part})${path === '' ? '' : `.${path}`}%}`;

/** What people call a step: its label, its name, or what it calls. */
export function stepTitle(step: Step): string {
  if (step.kind === 'operator') return step.type === 'LOOP' ? 'For each' : 'If';
  const target = [step.request?.method ?? 'GET', step.request?.endpoint].filter(Boolean).join(' ');
  return (step.label ?? '') || (step.name ?? '') || (step.request?.endpoint ? target : 'New step');
}

/** Formats the path of a reference for people: `tickets[this] › title`. */
export function formatPath(path: string): string {
  return path
    .replace(/^body(?=$|[.[])\.?(?:\$\.?)?/, '')
    .replace(/\[[a-z]\w*\]/g, '[this]')
    .replace(/\[\*?\]/g, '[all]')
    .split('.')
    .filter((name) => name !== '')
    .join(' › ');
}

/** Titles of calls by their colour in upper case. */
export type Titles = ReadonlyMap<string, string>;

/** Returns the entries of the titles of steps. */
export const titleEntries = (steps: readonly Step[]): [string, string][] =>
  steps.flatMap((step) =>
    step.kind === 'method' && step.color ? [[step.color.toUpperCase(), stepTitle(step)]] : [],
  );

/** Formats a reference for people: `GetTickets › tickets[this] › title`. */
export function formatReference(reference: Reference, titles: Titles): string {
  if (reference.kind === 'secret') return `Secret ${reference.path}`;
  if (reference.kind === 'parameter') return `Parameter ${reference.path.split(':')[0] ?? ''}`;
  const title = titles.get(reference.color ?? '') ?? 'Deleted step';
  const part = reference.part === 'request' ? 'request' : '';
  return [title, part, formatPath(reference.path)].filter((text) => text !== '').join(' › ');
}

/** Replaces the references of a text by what people call them. */
export function formatText(text: string, titles: Titles): string {
  let formatted = '';
  let at = 0;
  for (const reference of findReferences(text)) {
    formatted += `${text.slice(at, reference.from)}${formatReference(reference, titles)}`;
    at = reference.to;
  }
  return formatted + text.slice(at);
}

/** A loop around a step: its variable, and the list that it iterates over. */
export interface Loop {
  readonly iterator: string;
  readonly color: string | null;
  readonly path: string;
}

/** A key or position in the data of a step. */
export type PathPart = string | number;

/**
 * Returns the path of a reference to data. A list that a loop around the step iterates over gets the
 * variable of the loop, so that the current element is meant.
 * @param parts keys and positions below the body of the response
 */
export function pathOf(parts: readonly PathPart[], color: string, loops: readonly Loop[]): string {
  let path = 'body';
  for (const part of parts) {
    if (typeof part === 'number') {
      const loop = loops.find(
        (each) => each.color === color.toUpperCase() && normalized(each.path) === normalized(path),
      );
      path += `[${loop?.iterator ?? part}]`;
    } else {
      path += /^[A-Za-z_][\w-]*$/.test(part) ? `.${part}` : `['${part}']`;
    }
  }
  return path;
}

const normalized = (path: string): string =>
  path.replace(/^body\.\$/, 'body').replace(/\.\$(?=\.|$)/, '');
