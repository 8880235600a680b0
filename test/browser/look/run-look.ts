import { handler } from '../../../lambda/look/look.handler.ts';

process.on('message', (event) => {
  handler(event).then(
    (outcome) => process.send?.({ outcome }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
