import { createRoot } from 'react-dom/client';
import { App } from './App';
import './base.css';

createRoot(document.getElementById('root')!).render(<App />);
