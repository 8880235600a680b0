import { lazy, Suspense, useEffect, useState } from 'react';
import styles from './App.module.css';
import banner from './banner.svg?url';
import notes from './notes.txt?raw';
import Counter from './primes.worker?worker';

const About = lazy(() => import('./About'));

export function App() {
  const [found, setFound] = useState<number>();
  const [second, setSecond] = useState<number>();
  const [about, setAbout] = useState(false);
  useEffect(() => {
    const counter = new Counter();
    counter.onmessage = ({ data }) => setFound(data);
    counter.postMessage(1000);
    const other = new Worker(new URL('./primes.worker.ts', import.meta.url), { type: 'module' });
    other.onmessage = ({ data }) => setSecond(data);
    other.postMessage(100);
    return () => {
      counter.terminate();
      other.terminate();
    };
  }, []);
  return (
    <main className={styles.page}>
      <img className={styles.banner} src={banner} alt="" />
      <img className={styles.star} src="/star.svg" alt="" />
      <h1 className={styles.title}>
        Primes: <output>{found}</output> <output>{second}</output>
      </h1>
      <p>{notes}</p>
      <button type="button" className={styles.button} onClick={() => setAbout(true)}>
        About
      </button>
      <Suspense fallback="…">{about && <About />}</Suspense>
    </main>
  );
}
