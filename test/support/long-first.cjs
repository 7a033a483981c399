const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs *.long.ts first: one that begins last would keep a single core busy. */
module.exports = class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => path.endsWith('.long.ts');
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
