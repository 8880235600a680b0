import { artwork } from '../../kit/artwork.ts';
import { pageLayers } from '../../kit/kinds.ts';
import { readList } from '../../kit/lists.ts';
import { readPlace, toTitle } from '../../kit/phrases.ts';
import type { Brief, Kind } from '../../kit/types.ts';

const ROLE =
  /(?<!\p{L})(?:(?:web|graphic|product|ux|ui|interior|fashion|game|front[- ]?end|back[- ]?end|full[- ]?stack|software|wedding|data) )?(?:photographer|designer|developer|engineer|illustrator|artist|painter|architect|writer|journalist|musician|film ?maker|student|scientist|teacher|model|actor|actress|chef|fotograf(?:in)?|fotógraf[oa]|photographe|illustratorin|ilustrador[a]?|illustratrice|illustrateur|designerin|diseñador[a]?|künstlerin|artista|architektin|arquitect[oa]|arquitet[oa]|desenvolvedor[a]?|desarrollador[a]?|développeu(?:r|se)|entwickler(?:in)?)(?!\p{L})/iu;
type Text = 'yourName' | 'selectedWork' | 'describes' | 'projectNames' | 'projectText';

export const portfolio: Kind<Text> = {
  name: 'portfolio',
  layers: pageLayers('portfolio', []),
  accent: '#c2410c',
  words: [
    ['portfolios?|portafolio|portef[oó]lio|book en ligne', 6],
    ['personal (?:web ?)?(?:site|page|website|homepage)|about me page', 6],
    [
      'photographer|illustrator|freelancer|fotograf(?:in)?|fotógraf[oa]|photographe|my (?:work|projects|photos|illustrations|paintings|drawings|designs)|show(?:case)? my',
      3,
    ],
  ],
  values({ name, topic, text, promptLang, pictures }: Brief, texts) {
    const role = ROLE.exec(text)?.[0] ?? '';
    const person = ROLE.test(topic) ? topic.replace(ROLE, '').trim() : topic;
    const title = name || toTitle(person, promptLang) || (role ? toTitle(role, promptLang) : texts.yourName);
    const listed = readList(text, 'projects?|works?|projekte|arbeiten|proyectos|trabajos|projets|projetos|trabalhos');
    const names =
      listed.length > 0
        ? listed.map((project) => toTitle(project, promptLang) || project)
        : texts.projectNames.split('; ');
    return {
      title,
      role:
        title === toTitle(role, promptLang) || !role
          ? texts.selectedWork
          : [toTitle(role, promptLang), readPlace(text)].filter(Boolean).join(', '),
      description: `${title}: ${texts.describes}`,
      photographed: pictures.length > 0,
      projects: names.map((project, i) => ({
        name: project,
        text: texts.projectText,
        photos: pictures.slice(i, i + 1),
        drawn: i >= pictures.length,
        tiles: artwork(`${title} ${project}`, 3, 2),
      })),
    };
  },
};
