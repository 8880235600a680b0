// What is loaded only when somebody brings or takes files. It must not import what the console has itself.
// The synchronous functions: the others start workers, which the policy of the page forbids.
export { strToU8, unzipSync, zipSync } from 'fflate';
export { default as ignore } from 'ignore';
