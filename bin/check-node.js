// Loaded before a script in TypeScript, which a Node older than this could not even read to say so.
const OLDEST = 22;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `This needs Node ${OLDEST} or newer and found ${process.version}. "npm ci" installs Node 24 beside the project ` +
      '(it is an optional dependency), and "npm start" and "npm run" use it.',
  );
  process.exit(1);
}
