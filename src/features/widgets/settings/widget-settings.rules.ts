import { BadInput } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import type { WidgetSetting } from './widget-setting.model';

/** A requested position; missing values are the defaults of the clients. */
export interface NewWidgetSetting extends Partial<{
  readonly [K in 'x' | 'y' | 'w' | 'h' | 'minW' | 'minH']: number | null;
}> {
  /** Id of an existing setting. */
  readonly id?: number | null;
  readonly widgetId: number;
}

export const MOST_SETTINGS = 100;
export const MOST_UNITS = 10_000;

const DEFAULTS = { x: 0, y: 0, w: 6, h: 4, minW: 0, minH: 0 } as const;
type Place = keyof typeof DEFAULTS;
const PLACES = Object.keys(DEFAULTS) as Place[];

/**
 * Returns the requested positions with defaults.
 * @throws BadInput LIST_TOO_LONG; WIDGET_PLACE_INVALID with all values that are not a valid number
 * of units
 */
export function placesOf(given: readonly NewWidgetSetting[]): Omit<WidgetSetting, 'id'>[] {
  if (given.length > MOST_SETTINGS)
    throw new BadInput('LIST_TOO_LONG', `A dashboard has ${MOST_SETTINGS} widgets at most.`, {
      path: ['settings'],
    });
  const problems = given.flatMap((setting, at) =>
    PLACES.filter((place) => !isFit(setting[place] ?? DEFAULTS[place])).map((place): Problem => ({
      code: 'WIDGET_PLACE_INVALID',
      path: ['settings', at, place],
      message: `A whole number from 0 to ${MOST_UNITS} is wanted.`,
    })),
  );
  if (problems.length > 0)
    throw new BadInput('WIDGET_PLACE_INVALID', 'The widgets do not fit.', { problems });
  return given.map(({ widgetId, x, y, w, h, minW, minH }) => ({
    widgetId,
    x: x ?? DEFAULTS.x,
    y: y ?? DEFAULTS.y,
    w: w ?? DEFAULTS.w,
    h: h ?? DEFAULTS.h,
    minW: minW ?? DEFAULTS.minW,
    minH: minH ?? DEFAULTS.minH,
  }));
}

const isFit = (units: number): boolean =>
  Number.isInteger(units) && units >= 0 && units <= MOST_UNITS;
