import { html } from 'hono/html'
import type { Theme } from './appearance-cookies.ts'
import type { Html } from './html-type.ts'
import { icon } from './icons.ts'
import { paths } from './shopper-paths.ts'
import { english, type Language, type Say } from './text-lookup-by-language.ts'

/**
 * Returns the HTML of the switch of theme and language; the portal, which is in English only, has none of language. It
 * lies in the header and comes last, so that the keyboard reaches the page first. It is drawn for the theme of the
 * system: `inTheme` tells another.
 */
export const appearanceSwitch = (say: Say): Html => html`
<footer class="appearance"><details><summary data-testid="appearance">${icon('contrast')}<span class="unseen">${say(say === english ? 'theme' : 'appearance')}</span></summary>
<div>
<form method="post" action="${paths.appearance}" aria-label="${say('theme')}" data-theme-form>
<button name="theme" value="light" aria-pressed="false" data-testid="theme-light">${say('themeLight')}</button>
<button name="theme" value="dark" aria-pressed="false" data-testid="theme-dark">${say('themeDark')}</button>
<button name="theme" value="system" aria-pressed="true" data-testid="theme-system">${say('themeSystem')}</button>
</form>
${say === english ? '' : languageForm(say)}
</div></details></footer>`

const languageForm = (say: Say): Html => html`
<form method="post" action="${paths.appearance}" aria-label="${say('language')}">
<button name="language" value="en" lang="en" aria-pressed="${isIn(say, 'en')}" data-testid="language-en">English</button>
<button name="language" value="pl" lang="pl" aria-pressed="${isIn(say, 'pl')}" data-testid="language-pl">Polski</button>
<button name="language" value="el" lang="el" aria-pressed="${isIn(say, 'el')}" data-testid="language-el">Ελληνικά</button>
</form>`

const isIn = (say: Say, language: Language): string => String(say.language === language)

/** Returns a page as text in a theme: pages are drawn without knowing the request. */
export const inTheme = (page: string, theme: Theme): string =>
  theme === 'system'
    ? page
    : page
        .replace(/<html lang="\w+"/, `$& data-theme="${theme}"`)
        .replace('name="color-scheme" content="light dark"', `name="color-scheme" content="${theme}"`)
        .replace('value="system" aria-pressed="true"', 'value="system" aria-pressed="false"')
        .replace(`value="${theme}" aria-pressed="false"`, `value="${theme}" aria-pressed="true"`)
