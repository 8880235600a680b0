import { minutesToRead, wordsOf } from './reading.js';
import { followSections } from './sections.js';
/* #from10min */
import { offerPermalinks } from './permalinks.js';
import { offerSearch } from './search-view.js';
/* /from10min */

const article = document.querySelector('article');
const minutes = minutesToRead(wordsOf(article.textContent).length);
document.getElementById('reading-time').textContent = `${minutes} min to read`;

followSections([...document.querySelectorAll('nav a')]);
/* #from10min */
offerPermalinks(article);
offerSearch(article);
/* /from10min */
