import { BadInput, Conflict, NotFound } from '../../../platform/errors/errors';
import type { InputPath, Problem } from '../../../platform/errors/errors';
import { hasMoreCharacters, isVisible, textProblems } from '../../../platform/text/characters';
import { fold } from '../../../platform/text/fold';

export interface NewWidget {
  readonly key: string;
  readonly icon?: string | null;
  readonly tooltipTranslationKey?: string | null;
}

/** Maximum characters, and maximum number of widgets. */
export const WIDGET_LENGTHS = { key: 64, icon: 64, tooltipTranslationKey: 255, all: 200 } as const;

export const widgetNotFound = (id: number | string, path: InputPath = ['id']): NotFound =>
  new NotFound('WIDGET_NOT_FOUND', `There is no widget ${id}.`, { path });

export const keyTaken = (key: string): Conflict =>
  new Conflict(
    'WIDGET_ALREADY_EXISTS',
    `There is already a widget called ${JSON.stringify(key)}.`,
    { path: ['key'] },
  );

/** @throws BadInput NAME_INVALID, TEXT_TOO_LONG, TEXT_INVALID with all problems */
export function requireFit({ key, icon, tooltipTranslationKey }: NewWidget): void {
  const problems = [
    ...keyProblems(key),
    ...textProblems(icon, WIDGET_LENGTHS.icon, ['icon']),
    ...textProblems(tooltipTranslationKey, WIDGET_LENGTHS.tooltipTranslationKey, [
      'tooltipTranslationKey',
    ]),
  ];
  const [first] = problems;
  if (first !== undefined) throw new BadInput(first.code, 'The widget does not fit.', { problems });
}

function keyProblems(typed: string): Problem[] {
  const key = typed.trim();
  const problem = (message: string): Problem[] => [
    { code: 'NAME_INVALID', path: ['key'], message },
  ];
  if (hasMoreCharacters(key, WIDGET_LENGTHS.key))
    return problem(`The key of a widget has at most ${WIDGET_LENGTHS.key} characters.`);
  if (fold(key) === '') return problem('A widget needs a key.');
  return isVisible(key) ? [] : problem('The key holds characters that cannot be seen.');
}
