import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { capitalize, slug, toTitle } from '../../kit/phrases.ts';
import type { Kind, Values } from '../../kit/types.ts';

/** The days of the posts, the newest first. Posts of a project are the same whenever it is made. */
const DAYS = ['2026-06-21', '2026-06-07', '2026-05-24', '2026-05-10', '2026-04-26', '2026-04-12'];
const LISTS = 'posts?|articles|entries|beiträgen?|artikeln?|entradas|artículos|billets|artigos';

/** The topic in the noun phrase: "un blog de voyages", "a travel blog". */
const ABOUT = /blogs? d(?:e |['’])(.+)$/iu;
/** The whole topic, with where and when: "slow travel in Portugal". */
const WHOLE =
  /blog\p{L}* (?:about|on|über|sobre|sur) (?:the |my |die |das |den |la |le |les |el |los |o |a )?(.{2,60}?)(?= (?:with|mit|con|com|avec)(?!\p{L})|[,.:;!?\n]|$)/iu;
/** "A blog for a developer" is not about developers. */
const FOR = /blog\p{L}* (?:for|für|pour|para)(?!\p{L})/iu;

export const blog: Kind<
  'blog' | 'lede' | 'anything' | 'aboutText' | 'older' | 'tags' | 'first' | 'second' | 'third' | 'empty'
> = {
  name: 'blog',
  layers: pageLayers('blog', ['article']),
  accent: '#2f5d8a',
  words: [['(?:\\p{L}+)?blogs?(?: (?:site|website|page))?|weblog|bitácora|blogue', 7]],
  values({ name, head, topic, request, text, lang, promptLang }, texts) {
    const about = ABOUT.exec(head)?.[1] ?? WHOLE.exec(request)?.[1] ?? '';
    const short = FOR.test(request) ? '' : topic || about;
    const tell = (written: string, values: Readonly<Record<string, string>> = {}) =>
      written.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? (about || texts.anything));
    const tags = texts.tags.split(', ');
    const listed = readList(text, LISTS);
    const samples = [texts.third, texts.second, texts.first].map((sample) =>
      sample.split('|').map((part) => tell(part)),
    );
    const posts =
      listed.length > 0 ? listed.slice(0, DAYS.length).map((post) => [capitalize(post), texts.empty]) : samples;
    const tagOf = (index: number) => tags[(posts.length - 1 - index) % tags.length] ?? '';
    const idOf = (post: string, index: number) => `${slug(post, 'post')}-${posts.length - index}`;
    const format = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' });
    const title = name || toTitle(short, promptLang) || texts.blog;
    return {
      title,
      description: `${title}: ${tell(texts.lede)}`,
      lede: tell(texts.lede),
      aboutText: tell(texts.aboutText),
      allTags: [...new Set(posts.map((_, index) => tagOf(index)))].map((tag) => ({ tag }) as Values),
      entries: posts.map(([post = '', ...paragraphs], index) => {
        const [next] = posts[index + 1] ?? [];
        return {
          id: idOf(post, index),
          name: post,
          date: DAYS[index] ?? '',
          day: format.format(new Date(DAYS[index] ?? 0)),
          tag: tagOf(index),
          start: paragraphs[0] ?? '',
          paragraphs: paragraphs.map((paragraph) => ({ text: paragraph })),
          older: next ? tell(texts.older, { title: next }) : '',
          olderId: next ? idOf(next, index + 1) : '',
        };
      }),
      icon: 'M8 9h16M8 16h16M8 23h9',
      sources: [
        { path: 'blog.css', contents: 'the styles of the list and the posts' },
        { path: 'src/main.js', contents: 'shows one post, or the list, and filters by tag' },
      ],
      advice: 'The posts are samples. Each one is an `article` in index.html with an entry in the list above it.',
    };
  },
};
