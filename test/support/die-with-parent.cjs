// Preloaded into child processes of tests: ends them when the test run is gone, even if it was killed.
const { isMainThread } = require('node:worker_threads');

const testRun = Number(process.env.TEST_RUN_PID);

function isGone() {
  try {
    process.kill(testRun, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

if (isMainThread && testRun > 0)
  setInterval(() => isGone() && process.kill(process.pid, 'SIGKILL'), 1_000).unref();
