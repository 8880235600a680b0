import { parseCsv } from './csv.js';
import { line } from './data.js';
import { chooseFiles } from './files.js';
import { keepLine, ownLine, toLine } from './own-data.js';

const $ = (id) => document.getElementById(id);
const sample = { ...line, title: $('line-title').textContent };

function take(own) {
  Object.assign(line, own ?? sample);
  $('line-title').textContent = own ? own.title || 'Your data' : sample.title;
  $('sample').hidden = own === null;
  keepLine(own);
}

/** Lets visitors see a line of their own; `changed` draws what depends on it. */
export function offerImport(changed) {
  take(ownLine());
  $('import').addEventListener('click', async () => {
    const [text] = await chooseFiles('.csv,.txt,text/csv,text/plain');
    if (text === undefined) return;
    try {
      take(toLine(parseCsv(text)));
      $('import-news').textContent = `${line.values.length} rows are shown. They stay in this browser.`;
      changed();
    } catch (error) {
      $('import-news').textContent = error.message;
    }
  });
  $('sample').addEventListener('click', () => {
    take(null);
    $('import-news').textContent = 'The sample is shown again.';
    changed();
    $('import').focus();
  });
}
