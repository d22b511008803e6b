import { html } from 'hono/html'
import { icon, type Shape } from './icons.ts'
import type { Html } from './layout.ts'
import type { Say, TextKey } from './texts.ts'

export type Outcome = { name: string; shape: Shape; title: TextKey; lead: TextKey }

/** How it ended: a sign, a heading that tests and screen readers find, and one sentence. */
export const outcome = (say: Say, testId: string, { name, shape, title, lead }: Outcome): Html => html`
<span class="badge ${name}">${icon(shape)}</span>
<h1 tabindex="-1" data-testid="${testId}" data-outcome="${name}">${say(title)}</h1>
<p class="lead">${say(lead)}</p>`
