import { ignoredRules } from '../../../../lambda/sites/rules/ignored.ts';

it('names the lines of control files that do not count, with their numbers', () => {
  const redirects = `# a comment
/without-a-target
/language /new.html 302 Language=de
/api/* https://api.example.com/:splat 200
/ok /index.html 301
`;
  const headers = `X-A: b

/*
  Set-Cookie: a=b
  without a colon
  X-Ok: 1
  Content-Type: application/json
  X-Empty:`;
  const site = [
    { path: 'dist/index.html', content: '' },
    { path: 'dist/_redirects', content: redirects },
    { path: 'dist/_headers', content: headers },
    { path: '_headers', content: 'not read' },
  ];
  expect(ignoredRules(site, 'dist/index.html')).toEqual([
    '_redirects: ignored line 2 (it has no target), line 3 (Language=de is not supported), line 4 (a rewrite to another host is not supported: use a redirect, such as 302)',
    '_headers: ignored line 1 (no path comes before it), line 4 (Set-Cookie cannot be set by a site), line 5 (it has no colon), line 7 (Content-Type cannot be set by a site) and 1 more',
  ]);
  expect(ignoredRules(site.slice(0, 1), 'dist/index.html')).toEqual([]);
});
