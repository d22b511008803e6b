import { html } from 'hono/html'
import type { Html } from '../layout.ts'

/** A name of the API, such as partialRefund, PAYMENT_CAPTURE or payment.captured, that a narrow column parts between its words. */
export const codeName = (name: string): Html => html`<code>${words(name)}</code>`

/** The same where it is not set as code. */
export const words = (name: string): Html[] =>
  name
    .split(/(?<=[a-z])(?=[A-Z])|(?<=_)|(?<=\.)(?=[a-z])/)
    .map((word, at) => (at === 0 ? html`${word}` : html`<wbr>${word}`))
