import { isPrime } from './is-prime';

self.onmessage = ({ data }: MessageEvent<number>) => {
  let count = 0;
  for (let n = 2; n <= data; n++) if (isPrime(n)) count++;
  self.postMessage(count);
};
