import type { Migration } from '../../platform/store/migrations';
import { fold } from '../../platform/text/fold';
import type { WidgetRecord } from './catalogue/widget.model';
import type { RunCounterRecord } from './run-counter.model';

const AT_ONCE = 500;

/** Counters of workflows that were deleted before deletions said so. Written again with the same result. */
export const deletedWorkflowsOutOfRanking: Migration = {
  name: 'counters of deleted workflows leave the ranking',
  async run({ store, requireLease }) {
    const counters = store.connection.collection<RunCounterRecord>('run_counters');
    const workflows = store.connection.collection<{ _id: number }>('workflows');
    let last = '';
    for (;;) {
      requireLease();
      const some = await counters.find({ kind: 'workflow', _id: { $gt: last } }).sort({ _id: 1 }).limit(AT_ONCE).toArray();
      const newest = some.at(-1);
      if (!newest) return;
      last = newest._id;
      const there = new Set((await workflows.find({ _id: { $in: some.map(({ workflowId }) => workflowId ?? 0) } }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
      const gone = some.filter(({ workflowId }) => !there.has(workflowId ?? 0)).map(({ _id }) => _id);
      if (gone.length > 0) await counters.updateMany({ _id: { $in: gone } }, { $set: { kind: 'deleted' } });
    }
  },
};

/** What the installed clients draw, and this service has the figures for, as the released line has them. */
const FIRST_WIDGETS = [
  { key: 'CONNECTION_OVERVIEW', icon: 'cable', tooltipTranslationKey: 'Connection Overview' },
  { key: 'CURRENT_SCHEDULER', icon: 'date_range', tooltipTranslationKey: 'Current Scheduler' },
] as const;

/** Once: who deletes one of them does not find it again after the next start. */
export const firstWidgets: Migration = {
  name: 'the widgets that installed clients draw are in the catalogue',
  async run({ store }) {
    const widgets = store.connection.collection<WidgetRecord>('widgets');
    for (const widget of FIRST_WIDGETS) {
      const keyFolded = fold(widget.key);
      if ((await widgets.findOne({ keyFolded })) === null) await widgets.insertOne({ _id: await store.nextId('widgets'), ...widget, keyFolded });
    }
  },
};
