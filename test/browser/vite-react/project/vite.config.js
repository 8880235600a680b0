import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Defaults, but for the version, which stands in the page and in the lazy chunk. */
export default defineConfig({
  plugins: [react()],
  define: { __VERSION__: JSON.stringify(process.env.VERSION) },
});
