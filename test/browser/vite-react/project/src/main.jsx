import { lazy, StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import './main.css';

const Details = lazy(() => import('./Details.jsx'));

function App() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <h1>Version {__VERSION__}</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Details
      </button>
      <Suspense fallback={<p>Loading</p>}>{open && <Details />}</Suspense>
    </main>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
