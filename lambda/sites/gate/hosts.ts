import { domainToUnicode } from 'node:url';
import { ALIASES, type Brand, brandOfHost } from './brands.ts';
import { isFilling, wordsOf } from './words.ts';

/** Who gets what a page sends: from the harmless to the telling. */
export type Receiver = 'processor' | 'brand' | 'foreign' | 'service' | 'throwaway' | 'chat' | 'imitation';

const suffixes = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Payment processors and identity providers, which take cards and passwords from pages of their customers. */
const PROCESSORS = suffixes(`
  stripe.com paypal.com braintreegateway.com braintree-api.com adyen.com klarna.com mollie.com squareup.com square.site checkout.com payu.com
  razorpay.com mercadopago.com paddle.com lemonsqueezy.com snipcart.com shopify.com gumroad.com auth0.com okta.com amazoncognito.com
  clerk.dev clerk.com identitytoolkit.googleapis.com securetoken.googleapis.com accounts.google.com login.microsoftonline.com appleid.apple.com
`);

/** Services that count visits and errors, to which scripts of all kinds of pages send. */
const COUNTERS = suffixes(`
  google-analytics.com googletagmanager.com analytics.google.com doubleclick.net googleadservices.com connect.facebook.net segment.io segment.com
  mixpanel.com amplitude.com hotjar.com clarity.ms plausible.io sentry.io newrelic.com nr-data.net matomo.cloud posthog.com umami.is goatcounter.com
  cloudflareinsights.com bat.bing.com fullstory.com intercom.io
`);

/** Services that mail a form to anyone, or keep what they get for anyone. No application sends passwords to them. */
const SERVICES = suffixes(`
  formspree.io formsubmit.co getform.io getform.com web3forms.com formcarry.com formkeep.com submit-form.com staticforms.xyz usebasin.com
  fabform.io formbold.com herotofu.com forminit.com formsubmit.io script.google.com docs.google.com forms.gle forms.office.com sheetdb.io
  sheet.best api.emailjs.com emailjs.com list-manage.com mailthis.to elasticemail.com jotform.com typeform.com un-static.com kwes.io
`);

/** Tunnels to a machine, and inboxes for requests: nobody runs a shop on them. */
const THROWAWAYS = suffixes(`
  ngrok.io ngrok.app ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localtunnel.me serveo.net localhost.run pagekite.me
  webhook.site pipedream.net requestbin.com requestbin.net requestcatcher.com beeceptor.com hookbin.com interact.sh oast.fun oast.pro
  burpcollaborator.net dnslog.cn 000webhostapp.com duckdns.org ddns.net hopto.org
`);

const CHATS = suffixes('api.telegram.org discord.com discordapp.com hooks.slack.com');

const isUnder = (host: string, domains: readonly string[]) =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** A URL that a page names, and its host; undefined if it has none. */
export interface ForeignUrl {
  readonly url: string;
  readonly host: string;
}

const ABSOLUTE = /^\s*(?:(?:https?|wss?):)?[/\\]{2}/i;
const LONGEST = 2_000;

/** Returns an absolute URL and its host, unless it belongs to the site itself. */
export function foreignUrl(text: string, ownHosts: readonly string[]): ForeignUrl | undefined {
  if (text.length > LONGEST || !ABSOLUTE.test(text)) return undefined;
  const url = URL.parse(text.trim(), 'https://site.invalid/');
  if (url === null || url.hostname === '' || isUnder(url.hostname, ownHosts)) return undefined;
  return { url: url.href, host: url.hostname.replace(/\.$/, '') };
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/** Returns who gets what is sent to a URL. */
export function receiverOf({ url, host }: ForeignUrl): Receiver {
  if (isUnder(host, PROCESSORS) || isUnder(host, COUNTERS)) return 'processor';
  if (isUnder(host, CHATS) && /\/bot|\/webhooks\/|hooks\.slack/.test(url)) return 'chat';
  if (isUnder(host, SERVICES)) return 'service';
  if (brandOfHost(host)) return 'brand';
  if (ADDRESS.test(host) || isUnder(host, THROWAWAYS)) return 'throwaway';
  if (imitatedBrand(host)) return 'imitation';
  return 'foreign';
}

/** Words of hosts of people who show what they learned. */
const SHOWING = /clone|demo|test|example-app|tutorial|learn/;

/** Returns the brand that a host pretends to belong to: it has the name, or one that looks like it, beside words that fill. */
export function imitatedBrand(host: string): Brand | undefined {
  const shown = host.startsWith('xn--') || host.includes('.xn--') ? domainToUnicode(host) : host;
  if (SHOWING.test(shown)) return undefined;
  for (const label of shown.split('.').slice(0, -1)) {
    const words = wordsOf(label);
    for (const [i, { plain, folded }] of words.entries()) {
      const alias = ALIASES.get(folded) ?? ALIASES.get(plain);
      if (alias === undefined || folded.length < 5 || brandOfHost(host) === alias.brand) continue;
      const rest = words.filter((_, other) => other !== i);
      const isLookAlike = ALIASES.get(plain) === undefined;
      if (isLookAlike || (alias.needs.length === 0 && rest.length > 0 && rest.every(isFilling))) return alias.brand;
    }
  }
  return undefined;
}
