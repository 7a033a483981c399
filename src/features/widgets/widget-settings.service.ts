import type { Actor } from '../../platform/access/actor';
import { BadInput } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Collection } from '../../platform/store/collection';
import { partOf, schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import type { WidgetRecord } from './widget-catalog.model';
import { widgetNotFound } from './widget-catalog.service';
import type { WidgetCatalog } from './widget-catalog.service';

declare module '../../platform/context' {
  interface Services {
    widgetSettings: WidgetSettings;
  }
}

/** Position of a widget on the dashboard of a user, in units of the client's grid. */
interface WidgetSetting {
  readonly id: number;
  readonly widgetId: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly minW: number;
  readonly minH: number;
}

/** The dashboard of a user, as one record: of two concurrent saves, one is stored as a whole. */
interface WidgetSettingsRecord {
  /** Id of the user. */
  readonly _id: number;
  readonly settings: readonly WidgetSetting[];
}

const widgetSettingsSchema = schemaOf<WidgetSettingsRecord>({
  _id: Number,
  settings: [
    partOf<WidgetSetting>({
      id: Number,
      widgetId: Number,
      x: Number,
      y: Number,
      w: Number,
      h: Number,
      minW: Number,
      minH: Number,
    }),
  ] as never,
});

const widgetSettingsCollection = (store: Store) =>
  store.collection<WidgetSettingsRecord>('WidgetSettings', widgetSettingsSchema, 'widget_settings');

/** A requested position; missing values are the defaults of the clients. */
interface NewWidgetSetting extends Partial<{
  readonly [K in 'x' | 'y' | 'w' | 'h' | 'minW' | 'minH']: number | null;
}> {
  /** Id of an existing setting. */
  readonly id?: number | null;
  readonly widgetId: number;
}

export interface WidgetSettingView extends WidgetSetting {
  readonly widget: WidgetRecord;
}

export const MAX_SETTINGS = 100;
/** Maximum of positions and sizes. */
export const MAX_UNITS = 10_000;

const DEFAULTS = { x: 0, y: 0, w: 6, h: 4, minW: 0, minH: 0 } as const;
const POSITION_FIELDS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];

/** Dashboards of users. Clients save them at each visit, so saving is not audited. */
export class WidgetSettings {
  private readonly dashboards: Collection<WidgetSettingsRecord>;

  constructor(private readonly deps: { readonly store: Store; readonly widgets: WidgetCatalog }) {
    this.dashboards = widgetSettingsCollection(deps.store);
  }

  /** The dashboard of a user; empty if they have none. */
  async of(userId: number): Promise<WidgetSettingView[]> {
    const record = await this.dashboards.byId(userId);
    return this.view(record?.settings ?? []);
  }

  /**
   * Replaces the dashboard of the actor.
   * @throws BadInput LIST_TOO_LONG, WIDGET_PLACE_INVALID
   * @throws NotFound WIDGET_NOT_FOUND for each missing one
   */
  async replace(actor: Actor, input: readonly NewWidgetSetting[]): Promise<WidgetSettingView[]> {
    checkPositions(input);
    const findings = new Findings();
    const widgets = await this.deps.widgets.byIds(input.map(({ widgetId }) => widgetId));
    widgets.forEach((widget, at) => {
      if (!widget) findings.add(widgetNotFound(input[at].widgetId, ['settings', at, 'widgetId']));
    });
    findings.refuse();
    const settings = await this.deps.store.transaction(async (tx) => {
      const before = await this.dashboards.byId(actor.userId, tx);
      const after = assignIds(before?.settings ?? [], input);
      await this.dashboards.upsert({ _id: actor.userId }, { $set: { settings: after } }, tx);
      return after;
    });
    return this.view(settings);
  }

  /** Deletes the dashboards of users, in the transaction that deletes the users. */
  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.dashboards.deleteMany({ _id: { $in: [...userIds] } }, tx);
  }

  /** Skips widgets that no longer exist. */
  private async view(settings: readonly WidgetSetting[]): Promise<WidgetSettingView[]> {
    const widgets = await this.deps.widgets.byIds(settings.map(({ widgetId }) => widgetId));
    return settings.flatMap((setting, at) => {
      const widget = widgets[at];
      return widget ? [{ ...setting, widget }] : [];
    });
  }
}

/** @throws BadInput LIST_TOO_LONG; WIDGET_PLACE_INVALID with all invalid values */
function checkPositions(input: readonly NewWidgetSetting[]): void {
  if (input.length > MAX_SETTINGS)
    throw new BadInput('LIST_TOO_LONG', `A dashboard has at most ${MAX_SETTINGS} widgets.`, {
      path: ['settings'],
    });
  const problems = input.flatMap((setting, at) =>
    POSITION_FIELDS.filter((field) => !isUnits(setting[field] ?? DEFAULTS[field])).map(
      (field): Problem => ({
        code: 'WIDGET_PLACE_INVALID',
        path: ['settings', at, field],
        message: `Expected a whole number from 0 to ${MAX_UNITS}.`,
      }),
    ),
  );
  if (problems.length > 0)
    throw new BadInput('WIDGET_PLACE_INVALID', 'Positions of widgets are not valid.', { problems });
}

const isUnits = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= MAX_UNITS;

/** Adds defaults. Keeps the ids of existing settings; others get new ones. */
function assignIds(
  before: readonly WidgetSetting[],
  input: readonly NewWidgetSetting[],
): WidgetSetting[] {
  const unused = new Set(before.map(({ id }) => id));
  let last = Math.max(0, ...unused);
  return input.map(({ id: requested, widgetId, x, y, w, h, minW, minH }) => ({
    id: requested != null && unused.delete(requested) ? requested : (last += 1),
    widgetId,
    x: x ?? DEFAULTS.x,
    y: y ?? DEFAULTS.y,
    w: w ?? DEFAULTS.w,
    h: h ?? DEFAULTS.h,
    minW: minW ?? DEFAULTS.minW,
    minH: minH ?? DEFAULTS.minH,
  }));
}
