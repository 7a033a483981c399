/** Runs the same tests with runs in processes of their own. */
import '../runs/runs.test';
import '../../ws/run-events.test';
import '../../ws/run-visibility.test';

process.env.TEST_RUN_ISOLATION = 'processes';
