/** How many items are processed at the same time. */
const CONCURRENT = 32;

/** Performs a function for each item, for several at the same time. The first error is thrown once pending calls have ended. */
export async function each<Item>(
  items: AsyncIterable<Item>,
  perform: (item: Item) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  // Workers share the iterator, which must be called one at a time.
  let last: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<Item>> => {
    const result = last.then(() => source.next());
    last = result;
    return result;
  };
  let failed = false;
  const worker = async () => {
    for (let item = await next(); !item.done && !failed; item = await next())
      await perform(item.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT }, worker));
  const error = results.find((result) => result.status === 'rejected');
  if (error) throw error.reason;
}
