import type { Actor } from '../../../platform/access/actor';
import { Findings } from '../../../platform/errors/findings';
import type { Store, Tx } from '../../../platform/store/store';
import type { WidgetCatalogue } from '../catalogue/widget-catalogue.service';
import type { WidgetRecord } from '../catalogue/widget.model';
import { widgetNotFound } from '../catalogue/widget.rules';
import { widgetSettingsModel } from './widget-setting.model';
import type { WidgetSetting, WidgetSettingsRecord } from './widget-setting.model';
import { placesOf } from './widget-settings.rules';
import type { NewWidgetSetting } from './widget-settings.rules';

declare module '../../../platform/context' {
  interface Services {
    widgetSettings: WidgetSettings;
  }
}

export interface ShownWidgetSetting extends WidgetSetting {
  readonly widget: WidgetRecord;
}

export type WidgetSettings = ReturnType<typeof createWidgetSettings>;

/**
 * Dashboards of users. Clients save them at each visit, so saving is not audited and does not
 * change the user.
 * @param widgets called when a dashboard is read or saved
 */
export function createWidgetSettings({
  store,
  widgets,
}: {
  readonly store: Store;
  readonly widgets: () => Pick<WidgetCatalogue, 'byIds'>;
}) {
  const dashboards = widgetSettingsModel(store);

  /** Skips widgets that no longer exist. */
  async function shown(settings: readonly WidgetSetting[]): Promise<ShownWidgetSetting[]> {
    const found = await widgets().byIds(settings.map(({ widgetId }) => widgetId));
    return settings.flatMap((setting, at) => {
      const widget = found[at];
      return widget ? [{ ...setting, widget }] : [];
    });
  }

  /** Keeps the ids of existing settings; others get new ones. */
  function numbered(
    before: readonly WidgetSetting[],
    given: readonly NewWidgetSetting[],
  ): WidgetSetting[] {
    const [known, used] = [new Set(before.map(({ id }) => id)), new Set<number>()];
    let last = Math.max(0, ...known);
    return placesOf(given).map((place, at) => {
      const asked = given[at]?.id ?? 0;
      const id = known.has(asked) && !used.has(asked) ? asked : (last += 1);
      used.add(id);
      return { id, ...place };
    });
  }

  return {
    /** The dashboard of a user; empty if they have none. */
    async of(userId: number): Promise<ShownWidgetSetting[]> {
      return shown(
        (await dashboards.findById(userId).lean<WidgetSettingsRecord>())?.settings ?? [],
      );
    },

    /**
     * Replaces the dashboard of the actor.
     * @throws BadInput LIST_TOO_LONG, WIDGET_PLACE_INVALID
     * @throws NotFound WIDGET_NOT_FOUND for each missing one
     */
    async replace(actor: Actor, given: readonly NewWidgetSetting[]): Promise<ShownWidgetSetting[]> {
      const places = placesOf(given);
      const found = new Findings();
      const known = await widgets().byIds(places.map(({ widgetId }) => widgetId));
      known.forEach((widget, at) => {
        if (!widget)
          found.add(widgetNotFound(places[at]?.widgetId ?? 0, ['settings', at, 'widgetId']));
      });
      found.refuse();
      return shown(
        await store.transaction(async ({ session }) => {
          const before = await dashboards
            .findById(actor.userId, null, { session })
            .lean<WidgetSettingsRecord>();
          const settings = numbered(before?.settings ?? [], given);
          await dashboards.updateOne(
            { _id: actor.userId },
            { $set: { settings } },
            { session, upsert: true },
          );
          return settings;
        }),
      );
    },

    /** Deletes the dashboards of users, in the transaction that deletes the users. */
    async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
      await dashboards.deleteMany({ _id: { $in: [...userIds] } }, { session: tx.session });
    },
  };
}
