// graphql without its check for duplicate modules, like in the bundle (scripts/bundle.mjs).
const before = process.env.NODE_ENV;
process.env.NODE_ENV = 'production';
require('graphql/jsutils/instanceOf');
process.env.NODE_ENV = before;
