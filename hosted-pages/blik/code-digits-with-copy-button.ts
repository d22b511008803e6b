import { html } from 'hono/html'
import { icon } from '../icons.ts'
import type { Html } from '../layout.ts'
import type { Say } from '../text-lookup-by-language.ts'

/** Returns the six digits of a BLIK code as three and three, with the button that copies them. */
export const codeDigits = (say: Say, code: string): Html => html`
<p class="code" data-testid="blik-code"><span>${code.slice(0, 3)}</span><span>${code.slice(3)}</span></p>
<button class="button quiet" type="button" data-copy="${code}" data-testid="blik-copy">${icon('copy')} <span>${say('copy')}</span></button>`
