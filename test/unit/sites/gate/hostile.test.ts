import { assess } from '../../../../lambda/sites/gate/gatekeeper.ts';
import { base64 } from '../../../support/gate/sample.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';

const assessText = (path: string, text: string) =>
  assess(new Map([[path, Buffer.from(text)]]), path.endsWith('.js') ? '' : path);

const ORDINARY = '<p class="a">Some words of a <a href="b.html">page</a>.</p>\n';

testRows([
  ['claims', 'a.html', repeated('<h1>Sign in to PayPal</h1>')],
  ['a title of names', 'a.html', `<title>${repeated('PayPal - ')}</title>`],
  ['urgent texts', 'a.html', repeated('account account account account ')],
  ['fields', 'a.html', repeated('<input placeholder="recovery phrase card number exp">')],
  ['forms', 'a.html', repeated('<form action=//a.example><input type=password>')],
  ['pictures', 'a.html', repeated('<img src=//a.example/paypal.png alt=PayPal>')],
  ['links', 'a.html', repeated('<a href=//a.example/ onclick=a()>x</a>')],
  ['scripts', 'a.html', repeated('<script>fetch("//a.example")</script>')],
  ['frames', 'a.html', repeated('<iframe srcdoc="<h1>PayPal</h1>"></iframe>')],
  ['frames in frames', 'a.html', `<iframe srcdoc="${repeated('&lt;iframe srcdoc=&quot;')}">`],
  ['open elements', 'a.html', repeated('<svg><title><div>')],
  ['attributes', 'a.html', `<a ${repeated('style="url(" b')}>`],
  ['open brackets of styles', 'a.html', `<style>${repeated('url( ')}</style>`],
  ['quotes', 'a.js', repeated('"\'`')],
  ['sums of strings', 'a.js', repeated('"a"+')],
  ['lists of strings', 'a.js', repeated('["a",')],
  ['open expressions', 'a.js', repeated('(/[')],
  ['comments', 'a.js', repeated('/*')],
  ['spaces', 'a.js', repeated('"a" ')],
  ['numbers', 'a.js', repeated('60,104,')],
  ['runs of numbers', 'a.js', repeated(`[${'60,'.repeat(70)}x]`)],
  ['escapes', 'a.js', `a="${repeated('\\x41')}"`],
  ['percent escapes', 'a.js', `a="${repeated('%3c')}"`],
  ['calls', 'a.js', repeated('fetch(open(post(')],
  ['clicks', 'a.js', repeated('a.click();')],
  ['locations', 'a.js', repeated('location.href=')],
  ['queries', 'a.js', `fetch("https://a.example/${repeated('?a=')}"+b)`],
  ['names', 'a.js', `${repeated('a')}="https://a.example/"`],
  [
    'pages in base64',
    'a.js',
    repeated(`"${base64('<form><input type="password" name="secret-of-many-words">'.repeat(3))}";`),
  ],
] satisfies [string, string, string][])('assesses hostile files in linear time', (_, path, text) => {
  const isLinear = linearTime(() => assessText('a.html', repeated(ORDINARY)));
  isLinear(() => assessText(path, text));
});
