import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Say, TextKey } from '../texts.ts'

// biome-ignore format: a table reads by its columns
const STATES = {
  valid:        { look: 'good', text: 'stateValid' },
  active:       { look: 'good', text: 'stateActive' },
  expiring:     { look: 'late', text: 'stateExpiring' },
  expired:      { look: 'late', text: 'stateExpired' },
  revoked:      { look: 'bad',  text: 'stateRevoked' },
  deregistered: { look: 'idle', text: 'stateDeregistered' },
  enabled:      { look: 'good', text: 'stateEnabled' },
  disabled:     { look: 'bad',  text: 'stateDisabled' },
  waiting:      { look: 'late', text: 'stateWaiting' },
  delivered:    { look: 'good', text: 'stateDelivered' },
  dropped:      { look: 'bad',  text: 'stateDropped' },
} as const satisfies Record<string, { look: string; text: TextKey }>

export type State = keyof typeof STATES

/** A state in one word and one colour. */
export const tag = (say: Say, state: State): Html =>
  html`<span class="tag ${STATES[state].look}" data-state="${state}">${say(STATES[state].text)}</span>`
