import type { LookWidth } from '../../../lambda/contract/looks.ts';
import type { GenerationResource } from '../../../lambda/contract/responses/generate.ts';
import { pixelSize } from '../../../lambda/generation/images/shown-images.ts';
import { newCaller } from '../../support/cloud/client.ts';
import type { VendorRequest } from '../../support/vendors/index.ts';
import { answerWith, looking } from '../clouds.ts';

const page = (heading: string, button: string) => `<!doctype html>
<html lang="en">
<head>
<meta name="viewport" content="width=device-width">
<title>Timer</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>${heading}</h1>
${button}
</main>
</body>
</html>
`;
// A button that does nothing would be a problem, for which the edit is dropped.
const BUTTON = `<button type="button" onclick="this.textContent = 'Stop'">Start</button>`;
const WRITTEN = `<file path="index.html">\n${page('Timer', '')}</file>\n<done/>\n`;
const REVIEW = `<edit path="index.html">
<<<<<<< SEARCH
<h1>Timer</h1>
=======
<h1>Timer</h1>
${BUTTON}
>>>>>>> REPLACE
</edit>
<done/>
`;

const cloud = await looking();
const requests: VendorRequest[] = [];
beforeAll(() =>
  answerWith((_, request) => {
    requests.push(request);
    const isReview = JSON.stringify(request.body).includes('two pictures of the page');
    return [{ text: isReview ? REVIEW : WRITTEN }, { finish: 'complete' }];
  }),
);

const sizeOf = (picture: Uint8Array) => pixelSize('image/png', picture);
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

it('shows the model its page in a real browser, keeps its edit, and returns the pictures of both', async () => {
  const caller = newCaller(cloud.baseUrl);
  const body = { prompt: 'a timer with a button that starts it', duration: '5min', model: 'provider-b' };
  const { status, headers, json } = await caller.post('/api/v1/generate', body);
  expect([status, headers['x-generation-look']]).toEqual([200, 'looked']);
  const path = `/api/v1/generations/${headers['x-generation-id']}`;
  const generation: GenerationResource = (await caller.send(path)).json;
  expect(generation.attempts.map(({ kind, look, reason }) => [kind, look?.state, look?.problems, reason])).toEqual([
    ['write', 'looked', [], undefined],
    ['review', 'looked', [], undefined],
  ]);
  expect(json.files[0].content).toContain(BUTTON);

  const parts: { image_url?: { url: string } }[] = requests[1]?.body.messages.at(-1).content;
  const shown = parts.flatMap(({ image_url }) => {
    const data = image_url?.url.replace('data:image/png;base64,', '');
    return data === undefined ? [] : [Buffer.from(data, 'base64')];
  });
  expect(shown.map(sizeOf)).toEqual(SIZES);

  const pictures: Buffer[] = [];
  for (const { look } of generation.attempts)
    for (const width of [390, 1280] satisfies LookWidth[]) {
      const picture = await caller.send(look?.screenshots?.[width] ?? '');
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png']);
      pictures.push(picture.bytes);
    }
  expect(pictures.map(sizeOf)).toEqual([...SIZES, ...SIZES]);
  expect(pictures.slice(0, 2)).toEqual(shown);
  expect(pictures[2]?.equals(shown[0] ?? Buffer.of())).toBe(false);
  // Without an attempt, the last one.
  expect((await caller.send(`${path}/screenshot?width=390`)).bytes).toEqual(pictures[2]);
});
