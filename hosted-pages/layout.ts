import { html } from 'hono/html'
import { appearanceSwitch } from './appearance-switch.ts'
import { type AssetName, assetUrl } from './assets.ts'
import type { Html } from './html-type.ts'
import type { Say } from './text-lookup-by-language.ts'

export type { Html } from './html-type.ts'

export type Page = {
  title: string
  /** The look of the page, as a class of the stylesheet. */
  look: 'plain' | 'portal' | 'phone' | 'hosted' | 'bank' | 'shop' | 'stage'
  /** The bank whose colours the page has. */
  bank?: string
  /** The shop whose colours the page has. */
  theme?: string
  /** Stylesheets and scripts beside those of every page. */
  more?: readonly AssetName[]
  main: Html
}

/** Returns the HTML document around every page, with the mark that no money moves. */
export const layout = (say: Say, { title, look, bank, theme, more = [], main }: Page): Html => html`<!doctype html>
<html lang="${say.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${say('product')}: ${say('noRealMoney')}">
<title>${title} · ${say('product')}</title>
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
<link rel="stylesheet" href="${assetUrl('pages.css')}">
${SHOPPER_LOOKS.includes(look) ? asset('shopper.css') : ''}
<script src="${assetUrl('pages.js')}" defer></script>
${more.map(asset)}
</head>
<body class="${look}" data-bank="${bank ?? ''}" data-copied="${say('copied')}" data-not-copied="${say('notCopied')}"${theme ? html` data-shop="${theme}"` : ''}>
<header class="sandbox" data-testid="sandbox-mark"><b>${say('sandboxMark')}</b><span>${say('noRealMoney')}</span><span role="status"><span class="not-live" data-testid="not-live">${say('notLive')}</span></span></header>
${main}
${appearanceSwitch(say)}
</body>
</html>
`

const SHOPPER_LOOKS: readonly Page['look'][] = ['phone', 'hosted', 'bank']

const asset = (name: AssetName): Html =>
  name.endsWith('.css')
    ? html`<link rel="stylesheet" href="${assetUrl(name)}">`
    : html`<script type="module" src="${assetUrl(name)}"></script>`
