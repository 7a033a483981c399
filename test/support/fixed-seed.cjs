// fast-check for the tests: property tests try the same cases in each run; a thorough run tries new ones.
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

if (process.env.HYPHA_THOROUGH_TESTS !== '1') fc.configureGlobal({ seed: 20_261_129 });

module.exports = fc;
