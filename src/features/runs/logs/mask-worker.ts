import { parentPort, workerData } from 'node:worker_threads';
import type { RunEvent } from '../../../engine';
import { RuleMask } from '../../../platform/masking/rule-mask';
import { RuledEvents } from '../execution/ruled-events';
import type { MaskSettings, MaskTask } from './mask-messages';

/** A thread that hides what rules select: a hundred of them may look at one text for seconds. */
const ruled = new RuledEvents(new RuleMask((workerData as MaskSettings).rules));

const hidden: Readonly<Record<MaskTask['kind'], (text: string) => string>> = {
  events: (text) => JSON.stringify(ruled.hide(JSON.parse(text) as RunEvent)),
  json: (text) => ruled.json(text),
};

parentPort?.on('message', ({ kind, texts }: MaskTask) => parentPort?.postMessage(texts.map(hidden[kind])));
