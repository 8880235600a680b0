import { render } from 'preact';

function App() {
  return <h1>prompt-to-project</h1>;
}

const root = document.querySelector('#app');
if (root) render(<App />, root);
