// The environment of Apollo's tests for integrations. It leaves out those that the service contradicts on purpose.
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

/** Part of the names of the tests that are left out, and why. */
const LEFT_OUT = {
  'lockstep versioning': 'the tests have not been published in version 5.5.1',
  renderLandingPage: 'browsers get the pages of the service and never reach Apollo Server',
  'rejects the request if the method is not POST or GET':
    'HEAD is answered, as by all of the service',
  'throws an error if POST JSON is malformed':
    'the body is read by the service, whose message differs',
  'cache-control is disabled': 'answers have Cache-Control: no-store unless a plugin sets another',
  'cache-control not set without any hints': 'the same',
  'incremental delivery': 'the compiled plans do not know @defer and @stream',
  'with defer': 'the same',
};

const nameOf = (node) => (node ? `${nameOf(node.parent)} ${node.name}` : '');

class ApolloEnvironment extends NodeEnvironment {
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name !== 'run_start') return;
    const unused = new Set(Object.keys(LEFT_OUT));
    const isLeftOut = (test) => {
      const reason = Object.keys(LEFT_OUT).find((part) => nameOf(test).includes(part));
      unused.delete(reason);
      return reason !== undefined;
    };
    const prune = (block) => {
      block.children = block.children.filter((child) =>
        child.type === 'test' ? !isLeftOut(child) : (prune(child), true),
      );
      block.tests = block.children.filter(({ type }) => type === 'test');
    };
    prune(rootDescribeBlock);
    if (unused.size > 0) throw new Error(`There are no tests named ${[...unused].join(', ')}`);
  }
}

module.exports = ApolloEnvironment;
