// graphql without its search for a second copy of itself, as the bundle has it (scripts/bundle.mjs).
const before = process.env.NODE_ENV;
process.env.NODE_ENV = 'production';
require('graphql/jsutils/instanceOf');
process.env.NODE_ENV = before;
