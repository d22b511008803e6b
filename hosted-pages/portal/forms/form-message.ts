import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

/** Outcome of the form that led to a portal page: what was done, or why the form was refused, in a sentence. */
export type FormOutcome = { done?: string | undefined; refused?: string | undefined }

/** Messages after a form, by the name that the address carries; nothing else gets from the address into the page. */
// biome-ignore format: a table reads by its columns
const MESSAGES = {
  'organization-created':  'The organization is there. Its kit is ready.',
  'key-registered':        'The key is registered and signs from now on, beside the others.',
  'key-deregistered':      'The key is deregistered: nothing that it signs is accepted any more.',
  'tokens-revoked':        'Every access token is revoked: calls with one are 401/4061 until the client fetches a new one.',
  'control-token-revoked': 'The control token is revoked.',
  'certificate-issued':    'The certificate is issued and trusted from now on.',
  'certificate-trusted':   'The certificate is trusted from now on.',
  'certificate-revoked':   'The certificate is revoked.',
  'kit-renewed':           'The kit has a new key and certificate: download it now.',
  'endpoint-added':        'The endpoint is added. Copy its secret to your server, then send a test.',
  'endpoint-changed':      'The endpoint is changed.',
  'endpoint-deleted':      'The endpoint is deleted.',
  'secret-rotated':        'A new secret signs from now on.',
  'replayed':              'They are among the deliveries below.',
  'inbox-cleared':         'The inbox is empty.',
  'day-finished':          'The day is over: its reports are in the list.',
  'capabilities-set':      'Saved: the next call obeys it.',
  'mock-set':              'The mock is set.',
  'dialect-spoken':       'The organization speaks it from the next call on.',
  'usual-dialect':        'The organization speaks the usual dialect again.',
} as const

export type DoneMessage = keyof typeof MESSAGES

/** Returns the address of a portal page with the message that the page is to show. */
export const withMessage = (path: string, done: DoneMessage): string =>
  `${path}${path.includes('?') ? '&' : '?'}done=${done}`

/** Returns the message that the address of a portal page carries; undefined for an unknown name. */
export const readMessage = (done: string | undefined): string | undefined =>
  Object.entries(MESSAGES).find(([name]) => name === done)?.[1]

/** The HTML id of the message that says why a form was refused, by which its field is described. */
export const REFUSAL_ID = 'refused'

/** Returns the HTML of the message with the outcome of a form; empty where none was submitted. */
export const formMessage = ({ done, refused }: FormOutcome): Html | '' => {
  if (refused !== undefined)
    return html`<p class="outcome bad" id="${REFUSAL_ID}" role="alert" data-testid="portal-refused">${refused}</p>`
  return done ? html`<p class="outcome good" role="status" data-testid="portal-done">${done}</p>` : ''
}
