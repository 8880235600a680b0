import { initPage } from './page.ts';

initPage();
