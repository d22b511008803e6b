import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

// biome-ignore format: a table reads by its columns
const STATES = {
  valid:        { look: 'good', text: 'valid' },
  active:       { look: 'good', text: 'active' },
  expiring:     { look: 'late', text: 'expires soon' },
  expired:      { look: 'late', text: 'expired' },
  revoked:      { look: 'bad',  text: 'revoked' },
  deregistered: { look: 'idle', text: 'deregistered' },
  enabled:      { look: 'good', text: 'enabled' },
  disabled:     { look: 'bad',  text: 'disabled' },
  failing:      { look: 'bad',  text: 'failing' },
  waiting:      { look: 'late', text: 'waiting' },
  delivered:    { look: 'good', text: 'delivered' },
  dropped:      { look: 'bad',  text: 'given up' },
} as const satisfies Record<string, { look: string; text: string }>

export type State = keyof typeof STATES

/** Returns the state of a key, certificate, endpoint or delivery as a coloured HTML tag. */
export const stateTag = (state: State): Html =>
  html`<span class="tag ${STATES[state].look}" data-state="${state}">${STATES[state].text}</span>`
