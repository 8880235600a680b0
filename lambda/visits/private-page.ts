import { preferredLanguage } from '../platform/accept-headers.ts';
import type { Clock } from '../platform/clock.ts';
import { escapeHtml, HTML, plainPage } from '../platform/html.ts';
import { errorResponse, reportLine } from '../sites/serving/notice-pages.ts';
import type { SiteResponse } from '../sites/serving/respond.ts';
import {
  ACCESS_PARAMETERS,
  type Access,
  accessCookieName,
  accessUntil,
  type Browser,
  isAdmitted,
  signAccess,
} from '../stored/page-access.ts';

/** Who asks for a private page. */
export interface Visitor extends Browser {
  readonly acceptLanguage?: string | undefined;
  /** Where the service is; empty on its own origin. */
  readonly baseUrl: string;
}

interface Asked {
  readonly id: string;
  /** The path on the page's origin as it was sent, with a leading slash. */
  readonly path: string;
  /** Not decoded, without the `?`. */
  readonly rawQuery: string;
  readonly navigation: boolean;
}

/** How long a browser stays admitted that has sent the right password. */
const PASSWORD_SECONDS = 604_800;

/**
 * Returns what a visitor gets in place of a private page, or undefined for one who may see it: with a cookie. A link, or the response to
 * a password, leads to the same page with the cookie, and without the signature in its address.
 */
export function admission(access: Access, asked: Asked, visitor: Visitor, clock: Clock): SiteResponse | undefined {
  const now = clock();
  const query = new URLSearchParams(asked.rawQuery);
  const link = accessUntil(access.key, 'link', query.get(ACCESS_PARAMETERS.link) ?? undefined, now);
  if (link !== undefined) return withCookie(access, link, asked, visitor, now);
  const entry = accessUntil(access.key, 'entry', query.get(ACCESS_PARAMETERS.entry) ?? undefined, now);
  if (entry !== undefined) return withCookie(access, Math.floor(now / 1_000) + PASSWORD_SECONDS, asked, visitor, now);
  if (isAdmitted(access, visitor, now)) return undefined;
  if (!asked.navigation) return errorResponse(403, 'Private', 'This page is private.');
  const { acceptLanguage, baseUrl } = visitor;
  const refused = query.get(REFUSED);
  const to = asked.path + withoutParameters(asked.rawQuery);
  return closedResponse({ id: asked.id, type: access.type, to, refused, acceptLanguage, baseUrl });
}

/** @param end of the cookie, in Unix seconds */
function withCookie(
  { key }: Access,
  end: number,
  { path, rawQuery }: Asked,
  visitor: Visitor,
  now: number,
): SiteResponse {
  const attributes = [
    `${accessCookieName(visitor)}=${signAccess(key, 'cookie', end)}`,
    'Path=/',
    `Max-Age=${end - Math.floor(now / 1_000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(visitor.secure ? ['Secure'] : []),
  ];
  return {
    status: 303,
    headers: {
      // A path that begins with two slashes would be another host.
      Location: path.replace(/^[/\\]+/, '/') + withoutParameters(rawQuery),
      'Set-Cookie': attributes.join('; '),
    },
    body: new Uint8Array(),
  };
}

const REFUSED = 'ptp-closed';
const OWN_PARAMETERS = [...Object.values(ACCESS_PARAMETERS), REFUSED];

/** Returns a query without the parameters of the service, however they are encoded, with its `?`, or an empty text. */
function withoutParameters(rawQuery: string): string {
  const isOwn = (pair: string) => OWN_PARAMETERS.some((name) => new URLSearchParams(pair).has(name));
  const rest = rawQuery.split('&').filter((pair) => pair !== '' && !isOwn(pair));
  return rest.length > 0 ? `?${rest.join('&')}` : '';
}

/** The page that a visitor sees instead of a private one. */
interface Closed {
  readonly id: string;
  readonly type: Access['type'];
  /** The path and query of the page on its origin. */
  readonly to: string;
  /** Why a password was refused: `wrong` or `wait`, as a form's response has it in the query. */
  readonly refused: string | null;
  /** The Accept-Language header. */
  readonly acceptLanguage: string | undefined;
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string;
}

/** Returns the page that asks for the password, or says that there is a link. It works without a script. */
export function closedResponse(closed: Closed): SiteResponse {
  const lang = preferredLanguage(closed.acceptLanguage, LANGUAGES);
  const texts = PRIVATE_TEXTS[lang];
  const title = `<h1>${texts.title}</h1>`;
  const body = closed.type === 'password' ? passwordForm(closed, texts) : `<p>${texts.link}</p>`;
  return {
    status: 403,
    headers: {
      'Content-Type': HTML,
      'Content-Language': lang,
      // After the form was sent, the redirect leads back to this origin.
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${closed.baseUrl}`,
      // The service reads the origin that a form was sent from.
      'Referrer-Policy': 'origin',
    },
    body: Buffer.from(
      plainPage(
        texts.title,
        title + body + reportLine(`${closed.baseUrl}/report?page=${closed.id}`, texts.report),
        lang,
      ),
    ),
  };
}

function passwordForm({ id, to, refused, baseUrl }: Closed, texts: (typeof PRIVATE_TEXTS)[keyof typeof PRIVATE_TEXTS]) {
  const problem = refused === 'wrong' || refused === 'wait' ? texts[refused] : undefined;
  const alert = problem === undefined ? '' : `<p id="problem" role="alert">${problem}</p>`;
  const described = problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"';
  return `<p>${texts.ask}</p>${alert}<form method="post" action="${escapeHtml(baseUrl)}/api/v1/deployments/${id}/unlock"><input type="hidden" name="to" value="${escapeHtml(to)}"><label for="password">${texts.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus${described}><button>${texts.open}</button></form>`;
}

/** The texts of the pages in place of private ones, by language. They avoid forms of address: some readers expect *du*, some *Sie*. */
const PRIVATE_TEXTS = {
  en: {
    title: 'Private page',
    password: 'Password',
    ask: 'This page is private. Enter its password to open it.',
    open: 'Open',
    wrong: 'This password is not right.',
    wait: 'Too many wrong passwords. Try again in five minutes.',
    link: 'This page is private. It opens with the link that its owner sends you; a link can also have expired.',
    report: 'Report this page',
  },
  de: {
    title: 'Private Seite',
    password: 'Passwort',
    ask: 'Diese Seite ist privat. Sie öffnet sich mit ihrem Passwort.',
    open: 'Öffnen',
    wrong: 'Dieses Passwort ist nicht richtig.',
    wait: 'Zu viele falsche Passwörter. In fünf Minuten geht es wieder.',
    link: 'Diese Seite ist privat. Sie öffnet sich mit dem Link, den der Eigentümer verschickt; ein Link kann auch abgelaufen sein.',
    report: 'Diese Seite melden',
  },
  es: {
    title: 'Página privada',
    password: 'Contraseña',
    ask: 'Esta página es privada. Se abre con su contraseña.',
    open: 'Abrir',
    wrong: 'La contraseña no es correcta.',
    wait: 'Demasiadas contraseñas incorrectas. Será posible de nuevo en cinco minutos.',
    link: 'Esta página es privada. Se abre con el enlace que envía su propietario; un enlace también puede haber caducado.',
    report: 'Denunciar esta página',
  },
  fr: {
    title: 'Page privée',
    password: 'Mot de passe',
    ask: 'Cette page est privée. Elle s’ouvre avec son mot de passe.',
    open: 'Ouvrir',
    wrong: 'Ce mot de passe n’est pas correct.',
    wait: 'Trop de mots de passe incorrects. Ce sera de nouveau possible dans cinq minutes.',
    link: 'Cette page est privée. Elle s’ouvre avec le lien que son propriétaire envoie ; un lien peut aussi avoir expiré.',
    report: 'Signaler cette page',
  },
  pt: {
    title: 'Página privada',
    password: 'Senha',
    ask: 'Esta página é privada. Ela abre com a senha.',
    open: 'Abrir',
    wrong: 'A senha não está correta.',
    wait: 'Muitas senhas incorretas. Será possível de novo em cinco minutos.',
    link: 'Esta página é privada. Ela abre com o link que o proprietário enviar; um link também pode ter expirado.',
    report: 'Denunciar esta página',
  },
} as const;

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const satisfies readonly (keyof typeof PRIVATE_TEXTS)[];
