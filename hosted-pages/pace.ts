import { html } from 'hono/html'
import type { Html } from './layout.ts'
import type { Say } from './texts.ts'

/** Says that a clock does not run as clocks do, where it does not: held, or so many times as fast. */
export const pace = (say: Say, rate = 1): Html | '' =>
  rate === 1
    ? ''
    : html` <span class="tag late" data-testid="clock-pace">${rate === 0 ? say('clockFrozen') : say('clockScaled', { rate: String(rate) })}</span>`
