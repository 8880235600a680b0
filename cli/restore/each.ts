/** How many items are copied at the same time. */
const CONCURRENT = 32;

/** Performs something for each item, for some at the same time. The first error ends it, once what has begun is done. */
export async function each<Item>(
  items: AsyncIterable<Item>,
  perform: (item: Item) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  // Pages are read one after the other, whoever needs the next item.
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
