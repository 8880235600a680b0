import { checkResponse, takeDifferences } from './check-responses.ts';

// Checks the responses to `fetch`, too, and fails each test that got a response that is not as documented. Test files of other
// projects run in the same process, so it ends with the file.

const { fetch } = globalThis;
takeDifferences();

globalThis.fetch = async (input, init) => {
  const response = await fetch(input, init);
  const asked = input instanceof Request ? input.method : 'GET';
  const type = response.headers.get('content-type') ?? '';
  // A body that breaks off is the test's affair, and a stream may never end.
  const body = type.includes('json')
    ? await response
        .clone()
        .text()
        .catch(() => undefined)
    : undefined;
  checkResponse({
    method: response.redirected ? 'GET' : (init?.method ?? asked).toUpperCase(),
    url: new URL(response.url),
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    ...(body === undefined ? {} : { body }),
  });
  return response;
};

afterEach(() => expect(takeDifferences()).toEqual([]));
afterAll(() => {
  globalThis.fetch = fetch;
});
