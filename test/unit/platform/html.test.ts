import { plainPage } from '../../../lambda/platform/html.ts';
import { formPage } from '../../../lambda/reports/form-page.ts';
import { FORM_LANGUAGES } from '../../../lambda/reports/form-texts.ts';
import { closedResponse } from '../../../lambda/visits/private-page.ts';

/** axe's rules `landmark-one-main` and `region`. */
it('has everything that a page of the service shows in one main landmark', () => {
  const closed = { id: 'abcdefghijkl', to: '/', refused: null, acceptLanguage: 'en', baseUrl: '' } as const;
  const [language = 'en'] = FORM_LANGUAGES;
  const pages = [
    plainPage('Gone', '<h1>Gone</h1>'),
    formPage({}, { language, abuse: undefined }),
    Buffer.from(closedResponse({ ...closed, type: 'password' }).body).toString(),
  ];
  for (const page of pages) {
    expect(page).toMatch(/<body><main>.*<\/main><\/body><\/html>$/s);
    expect(page.match(/<\/?main>/g)).toHaveLength(2);
  }
});
