/**
 * Ends a process whose Node cannot run this project. package.json and cdk.json preload it with `--import`, in JavaScript:
 * an old Node could not read TypeScript to say so.
 */
const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  console.error(
    `Node ${OLDEST} or newer is required to run this project, but this is Node ${process.versions.node}. Run "npm ci" ` +
      `without --omit=optional, which installs Node ${OLDEST} in node_modules on most machines, and start with "npm start" or ` +
      '"npm run"; elsewhere install it from https://nodejs.org',
  );
  process.exit(1);
}
