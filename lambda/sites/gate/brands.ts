/** A name that phishing imitates. */
export interface Brand {
  readonly name: string;
}

/** How a brand is written: its words without spaces. */
interface Alias {
  readonly brand: Brand;
  /** Words one of which must be on the page too, because the name is also a common word or another name. */
  readonly needs: readonly string[];
}

const TRANSFER = 'bank banking card cards account payment transfer konto tarjeta';
const PARCEL = 'parcel package delivery shipment tracking courier paket sendung colis paquete pacco encomenda';
const CHAIN = 'wallet crypto recovery seed phrase nano bitcoin ethereum solana exchange token';

/**
 * One brand a line: its names, separated by commas; after the first bar its domains, besides its names under a common top-level
 * domain; after the second the words one of which the first name needs beside it. The sources are published lists of the brands that
 * are imitated most (APWG, Check Point, Cloudflare), and the banks, post and tax offices of the countries whose languages are common.
 */
const BRAND_LIST = `
Microsoft, Office 365, Microsoft 365, Outlook, Outlook Web App, OneDrive, SharePoint, Hotmail, Microsoft Teams, O365, Office365, Skype, Xbox, MSN | live.com microsoftonline.com office.com office365.com outlook.com sharepoint.com msauth.net msftauth.net msocdn.com xbox.com azure.com
Google, Gmail, Google Drive, Google Workspace, Google Chrome, Google Docs, YouTube | gstatic.com gmail.com youtube.com ggpht.com
Apple, Apple ID, Apple Account, iCloud, iTunes, App Store | icloud.com mzstatic.com | id icloud itunes iphone store account
Amazon, Amazon Prime, Prime Video, AWS | media-amazon.com ssl-images-amazon.com aws.amazon.com
PayPal | paypalobjects.com paypal.me
Netflix | nflxext.com nflximg.net
Facebook, Meta Business, Meta Verified, Facebook Business, Facebook Messenger | fbcdn.net meta.com messenger.com
Messenger | | facebook meta
Instagram | cdninstagram.com
WhatsApp, WhatsApp Web
LinkedIn | licdn.com
Twitter | x.com twimg.com
TikTok
Snapchat
Discord, Discord Nitro | discordapp.com discord.gg
Telegram, Telegram Web | telegram.org t.me
Steam, Steam Community, SteamCommunity, Steam Guard | steampowered.com steamcommunity.com | guard valve games trade skins steamcommunity cs2 csgo
Roblox
Twitch
Reddit | redd.it
Pinterest | pinimg.com
Quora
VK, VKontakte | vk.com
Yandex | yandex.ru ya.ru
Mail.ru | mail.ru
WordPress | wordpress.org w.org
GitLab
Stack Overflow
MediaFire
Epic Games, Fortnite
PlayStation, PSN, Sony Entertainment Network
Nintendo
Spotify | scdn.co spotifycdn.com
Disney Plus, Disney+, DisneyPlus
Hulu
Dropbox | dropboxusercontent.com
DocuSign | docusign.net
Adobe, Adobe Acrobat, Adobe Document Cloud, Adobe PDF, Adobe Sign
WeTransfer
Zoom, Zoom Meeting | zoom.us | meeting meetings
Yahoo, Yahoo Mail | yimg.com
AOL, AOL Mail
Proton Mail, ProtonMail | proton.me
GMX
WEB.DE
T-Online, Telekom | t-online.de telekom.de
Roundcube
cPanel
Zimbra
GoDaddy
IONOS
OVH, OVHcloud
GitHub | githubassets.com githubusercontent.com
DHL
UPS | | ${PARCEL}
FedEx
USPS, United States Postal Service
Royal Mail
Evri
DPD, DPD Group | | ${PARCEL}
Deutsche Post
La Poste, Colissimo | laposte.fr
Chronopost
Mondial Relay
Correos
Poste Italiane, PostePay, BancoPosta | poste.it
PostNL
bpost
Swiss Post, Die Post | post.ch
Australia Post, AusPost
Canada Post | canadapost-postescanada.ca
CTT Expresso
InPost
Correios
PostNord
Chase, Chase Bank, Chase Online, JPMorgan, JPMorgan Chase, JP Morgan | | ${TRANSFER}
Bank of America, BofA
Wells Fargo
Citibank, Citi | citi.com
Capital One
American Express, Amex
US Bank | usbank.com
PNC Bank
TD Bank
Truist
Navy Federal
USAA
Charles Schwab
HSBC
Barclays
Lloyds Bank
NatWest
Halifax | | ${TRANSFER}
Santander, Banco Santander
Monzo
Revolut
N26
Wise | | ${TRANSFER}
Sparkasse
Commerzbank
Deutsche Bank
Postbank
Volksbank, Volksbanken Raiffeisenbanken, Raiffeisenbank | vr.de
ING, ING DiBa | | ${TRANSFER}
DKB
Comdirect
Targobank
HypoVereinsbank
BNP Paribas
Crédit Agricole
Société Générale
La Banque Postale
Crédit Mutuel
Caisse d'Épargne
Banque Populaire
Boursorama, BoursoBank
BBVA
CaixaBank
Banco Sabadell
Bankinter
Intesa Sanpaolo
UniCredit
Banco BPM
BPER Banca
Itaú, Itaú Unibanco
Bradesco
Nubank
Banco do Brasil | bb.com.br
Caixa Econômica Federal, Caixa Econômica | caixa.gov.br
Rabobank
ABN AMRO
KBC
Belfius
PostFinance
UBS
Bank Austria
PKO BP, iPKO
mBank
Bank Millennium
Allegro | | zaloguj konto logowanie
Commonwealth Bank, CommBank, NetBank
Westpac
RBC Royal Bank
Scotiabank
Interac
ICICI Bank
HDFC Bank
Paytm
Axis Bank
DBS Bank
MUFG
SMBC
Rakuten
Visa | | verified secure card
Mastercard
Klarna
Venmo
Zelle
Cash App
Western Union
IRS, Internal Revenue Service | irs.gov | tax refund revenue
HMRC, HM Revenue Customs, HM Revenue & Customs, GOV.UK | gov.uk
impots.gouv, impots gouv fr | impots.gouv.fr
Ameli, Assurance Maladie | ameli.fr
ELSTER, Bundeszentralamt für Steuern | elster.de | finanzamt steuer
Agencia Tributaria | agenciatributaria.gob.es
Receita Federal | receita.fazenda.gov.br gov.br
Agenzia delle Entrate, INPS | agenziaentrate.gov.it
myGov | my.gov.au
Social Security Administration | ssa.gov
E-ZPass
DigiD, Belastingdienst
MetaMask
Trust Wallet
Coinbase, Coinbase Wallet
Binance
Ledger, Ledger Live, Ledger Nano | | ${CHAIN}
Trezor, Trezor Suite | trezor.io
Phantom, Phantom Wallet | phantom.app | ${CHAIN}
Exodus, Exodus Wallet | | ${CHAIN}
Kraken | | ${CHAIN}
Blockchain.com, Blockchain Wallet
WalletConnect
OpenSea | opensea.io
Uniswap | uniswap.org
PancakeSwap
Crypto.com
Bybit
KuCoin
OKX
MyEtherWallet
AT&T | att.com att.net
Verizon
T-Mobile
Vodafone
Orange, Orange Mail | | messagerie facture mail client
SFR | | facture client messagerie
Movistar
Xfinity, Comcast
Swisscom
eBay
AliExpress
Alibaba
Walmart
Mercado Libre, Mercado Livre, MercadoLibre, Mercado Pago
Booking.com
Airbnb
Leboncoin
Kleinanzeigen
Vinted
`;

const joined = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9+]/g, '')
    .replace('+', 'plus');

const byName = new Map<string, Alias>();
const byDomain = new Map<string, Brand>();
for (const line of BRAND_LIST.trim().split('\n')) {
  const [names = '', domains = '', needs = ''] = line.split('|').map((part) => part.trim());
  const [name = '', ...others] = names.split(', ');
  const brand = { name };
  for (const domain of domains.split(' ')) byDomain.set(domain, brand);
  byName.set(joined(name), { brand, needs: needs.split(' ').filter(Boolean) });
  for (const other of others) byName.set(joined(other), { brand, needs: [] });
}

/** Names of brands by their words without spaces, accents and capitals. */
export const ALIASES: ReadonlyMap<string, Alias> = byName;

const COMMON_TLD = /^(?:com|net|org|de|fr|es|it|nl|be|pl|ch|at|pt|ca|jp|in|eu|co\.uk|com\.br|com\.au|co\.jp|com\.mx)$/;

/** Returns the brand that a host belongs to. */
export function brandOfHost(host: string): Brand | undefined {
  const labels = host.split('.', 10);
  for (const [i, label] of labels.entries()) {
    const rest = labels.slice(i + 1).join('.');
    const brand =
      byDomain.get(`${label}.${rest}`) ??
      (COMMON_TLD.test(rest) ? ALIASES.get(label.replaceAll('-', ''))?.brand : undefined);
    if (brand) return brand;
  }
  return undefined;
}

/** All words that names need. */
export const NEEDED_WORDS: ReadonlySet<string> = new Set([...byName.values()].flatMap(({ needs }) => needs));
